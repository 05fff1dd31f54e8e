internal import Glibc

/// Which file is at a path: another one may take the place of one that is open.
package struct FileIdentity: Equatable {
    private let device: UInt
    private let inode: UInt

    /// Nil if there is none, or it cannot be looked up.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    }
}
