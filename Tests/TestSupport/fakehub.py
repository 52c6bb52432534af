"""A small Hugging Face Hub on this machine, with every fault that a network has.

Prints one JSON line {"hub": port, "cdn": port} and serves until its standard input ends. Each line there is
answered by one line:

    {"repositories": {...}, "faults": [...]}   replaces what is served; the answer is {path: SHA-256}
    {"log": true}   every request since, with the bytes that were sent
    {"chunks": file, "size": n}   the SHA-256 of each part of a file

A repository: {"commit": 40 hex, "licence": text, "gated": bool, "downloads": n, "tags": [...],
"files": {path: file}}. A file: {"size": n, "seed": n} (made up), {"text": t} or {"file": path}; with
"lfs": true its bytes come from the other server, by a redirect to a signed link.

A fault: {"match": end of a path, "server": "hub"|"cdn", "skip": n, "times": n, "kind": kind, ...}. Kinds:
status (code, headers) · cut (at) · stall (at, seconds) · ignore_range · lie (delta) · wrong_range (by) ·
corrupt (at) · throttle (rate) · change (seed) · etag (value) · no_etag · chunked · loop · elsewhere (url) ·
linked (size) · silent (seconds).
"""

import hashlib
import json
import random
import socket
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

BLOCK = 1 << 20


class Content:
    """Bytes by offset, without holding big ones in memory."""

    def __init__(self, spec):
        self.spec = spec
        self.fixed = None
        if "text" in spec:
            self.fixed = spec["text"].encode()
        elif "file" in spec:
            with open(spec["file"], "rb") as file:
                self.fixed = file.read()
        else:
            self.base = random.Random(spec["seed"]).randbytes(BLOCK)
        self.size = len(self.fixed) if self.fixed is not None else spec["size"]

    def read(self, start, end):
        if self.fixed is not None:
            return self.fixed[start:end]
        out = bytearray()
        while start < end:
            index = start // BLOCK
            block = index.to_bytes(8, "little") + self.base[8:]
            piece = block[start % BLOCK : min(BLOCK, start % BLOCK + end - start)]
            out += piece
            start += len(piece)
        return bytes(out)

    def sha256(self):
        digest = hashlib.sha256()
        for start in range(0, self.size, BLOCK):
            digest.update(self.read(start, min(self.size, start + BLOCK)))
        return digest.hexdigest()

    def chunk_digests(self, size):
        return [
            hashlib.sha256(self.read(start, min(self.size, start + size))).hexdigest()
            for start in range(0, self.size, size)
        ]

    def git_blob(self):
        digest = hashlib.sha1(b"blob %d\0" % self.size)
        digest.update(self.read(0, self.size))
        return digest.hexdigest()


class State:
    def __init__(self):
        self.lock = threading.Lock()
        self.repositories = {}
        self.faults = []
        self.log = []
        self.cache = {}

    def configure(self, config):
        with self.lock:
            self.repositories = config.get("repositories", {})
            self.faults = [dict(fault, seen=0) for fault in config.get("faults", [])]
            self.log = []

    def content(self, spec):
        key = json.dumps(spec, sort_keys=True)
        with self.lock:
            if key not in self.cache:
                content = Content(spec)
                content.digest = content.sha256()
                self.cache[key] = content
            return self.cache[key]

    def faults_for(self, server, path):
        active = {}
        with self.lock:
            for fault in self.faults:
                if fault.get("server", "cdn") != server or not path.endswith(fault["match"]):
                    continue
                fault["seen"] += 1
                seen = fault["seen"] - fault.get("skip", 0)
                if seen >= 1 and (fault.get("times", 1) < 0 or seen <= fault.get("times", 1)):
                    active[fault["kind"]] = fault
        return active


state = State()
ports = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_name = "hub"

    def setup(self):
        # What a socket holds counts as sent: on a busy machine that was megabytes which nobody read.
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        super().setup()

    def log_message(self, *_):
        pass

    def reply(self, code, body=b"", headers=()):
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, value, headers=()):
        self.reply(200, json.dumps(value).encode(), [("Content-Type", "application/json"), *headers])

    def do_GET(self):
        url = urlsplit(self.path)
        path = unquote(url.path)
        entry = {
            "server": self.server_name,
            "path": path,
            "query": url.query,
            "range": self.headers.get("Range"),
            "if_range": self.headers.get("If-Range"),
            "authorization": self.headers.get("Authorization"),
            "sent": 0,
        }
        with state.lock:
            state.log.append(entry)
        self.entry = entry
        self.faults = state.faults_for(self.server_name, path)
        if "silent" in self.faults:
            time.sleep(self.faults["silent"]["seconds"])
        if "status" in self.faults:
            fault = self.faults["status"]
            return self.reply(fault["code"], b"no", list(fault.get("headers", {}).items()))
        if "loop" in self.faults:
            return self.reply(302, b"", [("Location", self.path)])
        if "elsewhere" in self.faults:
            return self.reply(302, b"", [("Location", self.faults["elsewhere"]["url"])])
        try:
            self.route(path, parse_qs(url.query))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def route(self, path, query):
        parts = path.strip("/").split("/")
        if parts[:2] == ["api", "models"]:
            return self.api(parts[2:], query)
        if self.server_name == "cdn":
            parts = parts[1:]
        if len(parts) >= 5 and parts[2] == "resolve":
            return self.resolve("/".join(parts[:2]), parts[3], "/".join(parts[4:]))
        self.reply(404, b"nothing here")

    def api(self, parts, query):
        if not parts:
            return self.search(query)
        name = "/".join(parts[:2])
        repository = state.repositories.get(name)
        if repository is None:
            code = "RepoNotFound"
            return self.reply(404 if self.entry["authorization"] else 401, b"{}", [("X-Error-Code", code)])
        revision = "/".join(parts[3:])
        if revision not in ("main", repository["commit"]):
            return self.reply(404, b"{}", [("X-Error-Code", "RevisionNotFound")])
        if parts[2] == "revision":
            return self.send_json(
                {
                    "id": name,
                    "sha": repository["commit"],
                    "tags": ["license:" + repository.get("licence", "mit")],
                    "gated": repository.get("gated", False),
                }
            )
        rows = [{"type": "directory", "path": "folder", "size": 0, "oid": "0" * 40}]
        for file, spec in repository["files"].items():
            content = state.content(spec)
            row = {"type": "file", "path": file, "size": content.size}
            row["oid"] = "1" * 40 if spec.get("lfs") else content.git_blob()
            if spec.get("lfs"):
                row["lfs"] = {"oid": content.digest, "size": content.size, "pointerSize": 134}
            rows.append(row)
        # Two rows a page, so that the pages are followed.
        start = int(query.get("cursor", ["0"])[0])
        headers = []
        if start + 2 < len(rows):
            link = f"http://127.0.0.1:{ports['hub']}{urlsplit(self.path).path}?recursive=true&cursor={start + 2}"
            headers = [("Link", f'<{link}>; rel="next"')]
        self.send_json(rows[start : start + 2], headers)

    def search(self, query):
        word = query.get("search", [""])[0].lower()
        tag = query.get("filter", [""])[0]
        rows = [
            {"id": name, "downloads": repository.get("downloads", 0), "gated": repository.get("gated", False)}
            for name, repository in state.repositories.items()
            if word in name.lower() and tag in repository.get("tags", [])
        ]
        rows.sort(key=lambda row: -row["downloads"])
        self.send_json(rows[: int(query.get("limit", ["20"])[0])])

    def resolve(self, name, revision, path):
        repository = state.repositories.get(name)
        spec = repository and repository["files"].get(path)
        if spec is None or revision not in ("main", repository["commit"]):
            return self.reply(404, b"Entry not found", [("X-Error-Code", "EntryNotFound")])
        if repository.get("gated") and not self.entry["authorization"] and self.server_name == "hub":
            return self.reply(401, b"", [("X-Error-Code", "GatedRepo")])
        content = state.content(spec)
        if self.server_name == "hub" and spec.get("lfs"):
            size = self.faults["linked"]["size"] if "linked" in self.faults else content.size
            return self.reply(
                302,
                b"moved",
                [
                    ("Location", f"http://localhost:{ports['cdn']}/cdn{urlsplit(self.path).path}?Signature={time.time()}"),
                    ("X-Linked-Size", str(size)),
                    ("X-Linked-Etag", f'"{content.digest}"'),
                    ("X-Repo-Commit", repository["commit"]),
                ],
            )
        self.send_file(content)

    def send_file(self, content):
        faults = self.faults
        if "change" in faults:
            content = state.content({"size": faults["change"].get("size", content.size), "seed": faults["change"]["seed"]})
        tag = faults["etag"]["value"] if "etag" in faults else f'"{content.digest[:32]}"'
        start, end, code = 0, content.size, 200
        asked = self.headers.get("Range")
        bound = self.headers.get("If-Range")
        if asked and "ignore_range" not in faults and bound in (None, tag):
            first, _, last = asked.removeprefix("bytes=").partition("-")
            start = int(first)
            end = min(int(last) + 1, content.size) if last else content.size
            code = 206
            if start >= content.size:
                return self.reply(416, b"", [("Content-Range", f"bytes */{content.size}")])
        shift = faults["wrong_range"]["by"] if code == 206 and "wrong_range" in faults else 0
        self.send_response(code)
        if "no_etag" not in faults:
            self.send_header("ETag", tag)
        if code == 206:
            self.send_header("Content-Range", f"bytes {start + shift}-{end - 1 + shift}/{content.size}")
        is_chunked = "chunked" in faults
        if is_chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(end - start + faults.get("lie", {}).get("delta", 0)))
        self.end_headers()
        position = start
        step = 1 << 16
        rate = faults["throttle"]["rate"] if "throttle" in faults else None
        while position < end:
            stop = min(end, position + step)
            for kind in ("cut", "stall"):
                if kind in faults:
                    stop = min(stop, max(position, start + faults[kind]["at"]))
            piece = bytearray(content.read(position, stop))
            if "corrupt" in faults and position <= faults["corrupt"]["at"] < stop:
                piece[faults["corrupt"]["at"] - position] ^= 0xFF
            if is_chunked:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), bytes(piece))) if piece else None
            else:
                self.wfile.write(piece)
            self.wfile.flush()
            self.entry["sent"] += len(piece)
            position = stop
            if "cut" in faults and position >= start + faults["cut"]["at"] and position < end:
                self.close_connection = True
                return
            if "stall" in faults and position >= start + faults["stall"]["at"]:
                time.sleep(faults["stall"]["seconds"])
                self.close_connection = True
                return
            if rate:
                time.sleep(len(piece) / rate)
        if is_chunked:
            self.wfile.write(b"0\r\n\r\n")
        if faults.get("lie", {}).get("delta", 0):
            self.close_connection = True


class HubHandler(Handler):
    server_name = "hub"


class CDNHandler(Handler):
    server_name = "cdn"


def main():
    servers = {}
    for name, handler in (("hub", HubHandler), ("cdn", CDNHandler)):
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        servers[name] = server
        ports[name] = server.server_address[1]
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        servers["hub"].socket = context.wrap_socket(servers["hub"].socket, server_side=True)
    for server in servers.values():
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps(ports), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def answer(request):
    if "log" in request:
        with state.lock:
            return state.log
    if "chunks" in request:
        return state.content(request["chunks"]).chunk_digests(request["size"])
    state.configure(request)
    return {
        f"{name}/{path}": state.content(spec).digest
        for name, repository in state.repositories.items()
        for path, spec in repository["files"].items()
    }


main()
