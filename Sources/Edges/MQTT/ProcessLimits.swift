internal import Glibc

/// Keeps this process and its children from dumping their memory, with all positions and tokens, to
/// the disk when a signal ends them, however the system is configured: neither limit can be raised
/// again without privileges.
public func forbidCoreDumps() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
}

/// Raises the limit of open files for this process and its children as far as the system allows:
/// every connection is one, and the usual 1,024 are not enough.
public func raiseFileLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
