internal import Glibc

/// The identity of the file at a path: an open file may be replaced by another.
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
