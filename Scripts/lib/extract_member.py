"""extract_member.py WHEEL MEMBER SHA256 FILE: unpacks one member of a wheel, if its digest is right.

FILE appears whole or not at all: the bytes go to FILE.part, are synced, checked and renamed.
"""

import hashlib
import os
import sys
import zipfile


def main() -> None:
    wheel, member, expected, path = sys.argv[1:]
    os.umask(0o077)
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)

    part = path + ".part"
    digest = hashlib.sha256()
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, open(part, "wb") as out:
        while block := source.read(1 << 20):
            digest.update(block)
            out.write(block)
        out.flush()
        os.fsync(out.fileno())
    if digest.hexdigest() != expected:
        os.unlink(part)
        sys.exit(f"{member} has SHA-256 {digest.hexdigest()}, expected {expected}; nothing was kept.")

    os.rename(part, path)
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


main()
