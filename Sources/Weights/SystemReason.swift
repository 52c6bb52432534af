import Glibc

/// The usual words for an error number; `strerror` is not safe between threads.
package func systemReason(_ code: Int32) -> String {
  switch code {
  case ENOENT: "no such file or directory"
  case EACCES, EPERM: "permission denied"
  case EISDIR: "it is a directory"
  case ENOTDIR: "a part of the path is no directory"
  case EMFILE, ENFILE: "too many open files"
  case ENOMEM: "not enough memory"
  case ENOSPC: "no space is left on the disk"
  case EDQUOT: "the disk quota is used up"
  case EROFS: "the file system is read-only"
  case EEXIST: "it exists already"
  case EIO: "the disk reported an error"
  case ELOOP: "too many symbolic links"
  case ENAMETOOLONG: "the name is too long"
  case EINVAL: "the system found it invalid"
  case ENODEV: "its file system does not support mapping"
  default: "system error \(code)"
  }
}
