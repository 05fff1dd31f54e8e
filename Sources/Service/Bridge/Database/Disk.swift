internal import Glibc

/// The file system that a file or directory is on.
package struct Disk {
    /// The bytes that this user may still write.
    package let free: Int64
    package let total: Int64

    /// Nil if it cannot be looked up.
    package init?(_ path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        free = Disk.bytes(status.f_bavail, of: status.f_frsize)
        total = Disk.bytes(status.f_blocks, of: status.f_frsize)
    }

    /// File systems without a bound may report any value.
    private static func bytes(_ blocks: some BinaryInteger, of size: some BinaryInteger) -> Int64 {
        let (bytes, isBeyond) = UInt64(clamping: blocks)
            .multipliedReportingOverflow(by: UInt64(clamping: size))
        return isBeyond ? .max : Int64(clamping: bytes)
    }

    /// The names in a directory, in no order; none if it cannot be read.
    package static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // Read in place: a record may be shorter than its type.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
