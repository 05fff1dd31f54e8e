internal import Glibc

/// The file system that a file or directory is on.
package struct Disk {
    /// Bytes that this user may still write.
    package let free: Int64
    package let total: Int64

    /// Nil if it cannot be looked up.
    package init?(_ path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        free = Int64(status.f_bavail) * Int64(status.f_frsize)
        total = Int64(status.f_blocks) * Int64(status.f_frsize)
    }

    /// The names in a directory, in no order; none if it cannot be read.
    package static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
