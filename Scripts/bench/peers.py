"""Runs Pipit and its peers on the same model files in turns and prints a table. See bench-peers."""

import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import time

# What Pipit adds to llama-bench's names: decode's part of what the memory allows.
SHARE = "share_of_bound"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Runner:
    """A program with llama-bench's interface, and the flags that it always gets."""

    def __init__(self, name, program, flags):
        self.name, self.program, self.flags = name, program, flags
        # Forks from before llama-bench had a depth generate after a prompt instead (ik_llama.cpp).
        usage = subprocess.run([*program, "--help"], capture_output=True, text=True)
        self.has_depth = "--n-depth" in usage.stdout + usage.stderr

    def tests(self, options):
        """The flags for what is measured; without a depth of its own, decode alone where there is one."""
        prompt, generated, depth = str(options.prompt), str(options.generated), str(options.depth)
        if self.has_depth:
            return ["-p", prompt, "-n", generated, "-d", depth]
        if options.depth:
            return ["-p", "0", "-n", "0", "-gp", f"{depth},{generated}"]
        return ["-p", prompt, "-n", generated]

    def run(self, model, options):
        """The results of one run, a dictionary for each test: llama-bench's names."""
        command = [*self.program, "-m", model, *self.tests(options)]
        command += ["-r", "1", "-t", str(options.threads), *self.flags]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            tail = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {tail[0]}")
        parsed = json.loads(done.stdout)
        return parsed if isinstance(parsed, list) else parsed.get("results", [parsed])

    def round(self, model, options, measured):
        """Adds one run's speeds to `measured`: test → list of tokens/s."""
        for row in self.run(model, options):
            prompt, generated = row.get("n_prompt", 0), row.get("n_gen", 0)
            is_after_prompt = "@" in row.get("test", "")
            if generated and (not prompt or is_after_prompt):
                measured.setdefault("decode", []).append(row["avg_ts"])
                if row.get(SHARE):
                    measured.setdefault(SHARE, []).append(row[SHARE])
            elif prompt and not generated:
                measured.setdefault("prefill", []).append(row["avg_ts"])
            if row.get("sane") is False:
                print(f"bench-peers: {self.name} says that its logits are not sound.", file=sys.stderr)


class Busy:
    """One process that computes all the time."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"])

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def alternate(runners, model, options, rounds):
    """name → test → speeds. Each round runs everybody once, and begins with another one."""
    measured = {runner.name: {} for runner in runners}
    for number in range(rounds):
        turn = number % len(runners)
        for runner in runners[turn:] + runners[:turn]:
            try:
                runner.round(model, options, measured[runner.name])
            except (RuntimeError, OSError, ValueError) as error:
                print(f"bench-peers: {error}", file=sys.stderr)
    return measured


def first_byte(command):
    """Seconds from exec to the first byte on stdout, with the file in the page cache."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        byte = process.stdout.read(1)
        elapsed = time.perf_counter() - start
        process.kill()
    return elapsed if byte else None


def first_token(options, model):
    """name → median seconds from exec to the first token of an answer."""
    prompt = "What is gravity?"
    commands = {
        "pipit": [options.pipit, "run", "-m", model, "--temperature", "0", "-n", "4", "-t", str(options.threads), prompt]
    }
    completion = os.path.join(options.llama, "llama-completion")
    if os.path.exists(completion):
        commands["llama.cpp"] = [completion, "-m", model, "-p", prompt, "-n", "4", "--temp", "0"]
        commands["llama.cpp"] += ["-t", str(options.threads), "--no-display-prompt", "-no-cnv"]
    times = {name: [] for name in commands}
    for _ in range(7):
        for name, command in commands.items():
            if (elapsed := first_byte(command)) is not None:
                times[name].append(elapsed)
    return {name: statistics.median(values) for name, values in times.items() if values}


def median(measured, name, test):
    values = measured.get(name, {}).get(test)
    return statistics.median(values) if values else None


def number(value, suffix=""):
    if value is None:
        return "–"
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}{suffix}"


def machine():
    """The CPU's name and how many there are."""
    name = "unknown CPU"
    try:
        with open("/proc/cpuinfo") as lines:
            name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{name}, {len(os.sched_getaffinity(0))} CPUs"


def table(runners, results, options):
    names = [runner.name for runner in runners]
    peers = [name for name in names if name != "pipit"]
    yield "| model | test | " + " | ".join(names) + " | " + " | ".join(f"ratio to {peer}" for peer in peers) + " | pipit's share of what memory allows |"
    yield "|---" * (3 + len(names) + len(peers)) + "|"
    for model, parts in results.items():
        for part, measured in parts.items():
            for test in ("prefill", "decode"):
                if part != "alone" and test == "prefill":
                    continue
                speeds = []
                for name in names:
                    speed, alone = median(measured, name, test), median(parts["alone"], name, test)
                    kept = f" ({100 * speed / alone:.0f} % of alone)" if part != "alone" and speed and alone else ""
                    speeds.append(number(speed) + kept)
                ours = median(measured, "pipit", test)
                ratios = [
                    number(ours / theirs, " ×") if ours and (theirs := median(measured, peer, test)) else "–"
                    for peer in peers
                ]
                share = median(measured, "pipit", SHARE) if test == "decode" else None
                share = f"{100 * share:.0f} %" if share else "–"
                size = options.prompt if test == "prefill" else options.generated
                label = f"{test} {size}" + ("" if part == "alone" else ", one other busy process")
                yield f"| {model} | {label} | " + " | ".join([*speeds, *ratios, share]) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pipit", required=True)
    parser.add_argument("--llama", required=True)
    parser.add_argument("--llama-flags", default="as built elsewhere")
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("-p", dest="prompt", type=int, default=256)
    parser.add_argument("-n", dest="generated", type=int, default=64)
    parser.add_argument("-d", dest="depth", type=int, default=0)
    parser.add_argument("-r", dest="rounds", type=int, default=5)
    parser.add_argument("-t", dest="threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--no-contention", action="store_true")
    parser.add_argument("--no-first-token", action="store_true")
    parser.add_argument("--save", action="store_true")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()

    runners = [
        Runner("pipit", [options.pipit, "bench"], ["--json"]),
        Runner("llama.cpp", [os.path.join(options.llama, "llama-bench")], ["-o", "json"]),
    ]
    for peer in options.peer:
        name, _, command = peer.partition("=")
        path, *flags = shlex.split(command) or [""]
        if not shutil.which(path):
            sys.exit(f"bench-peers: --peer takes 'NAME=PATH [FLAG…]' of a program, not {peer}")
        runners.append(Runner(name, [path], [*flags, "-o", "json"]))

    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"bench-peers: the machine is busy already (load {load:.1f}); figures will be low.", file=sys.stderr)

    results, firsts = {}, {}
    for model in options.models:
        name = pathlib.Path(model).stem
        print(f"bench-peers: {name}", file=sys.stderr)
        results[name] = {"alone": alternate(runners, model, options, options.rounds)}
        if not options.no_contention:
            with Busy():
                results[name]["busy"] = alternate(runners, model, options, max(2, options.rounds // 2))
        if not options.no_first_token:
            firsts[name] = first_token(options, model)

    lines = [f"{machine()}; {options.threads} threads, depth {options.depth}; tokens/s, medians of {options.rounds} runs in turns"]
    lines += [f"({datetime.date.today()}; load before: {load:.1f}; llama.cpp: {options.llama_flags})", ""]
    lines += table(runners, results, options)
    if firsts:
        lines += ["", "Seconds from exec to the first token of an answer, median of 7, warm:", ""]
        lines += ["| model | pipit | llama.cpp |", "|---|---|---|"]
        for name, values in firsts.items():
            lines.append(f"| {name} | {number(values.get('pipit'))} | {number(values.get('llama.cpp'))} |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.save:
        slug = re.sub(r"[^a-z0-9]+", "-", machine().lower()).strip("-")
        path = ROOT / "Scripts" / "bench" / "results" / f"{slug}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        print(f"bench-peers: kept in {path.relative_to(ROOT)}", file=sys.stderr)
    if any(not measured.get("pipit") for parts in results.values() for measured in parts.values()):
        sys.exit("bench-peers: pipit gave no figures on some model.")


main()
