internal import Glibc

/// Raises the limit of open files for this process and its children as far as the system allows:
/// every connection is one, and the usual 1,024 are not enough.
public func raiseFileLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
