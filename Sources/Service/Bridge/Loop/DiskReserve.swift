internal import Glibc

/// A file beside the database that reserves disk space: when the disk is full it is truncated, a
/// slice at a time, and the freed space is for calls for help.
///
/// Other programs that fill the disk can also use that space, so it is not released all at once.
struct DiskReserve {
    let path: String
    /// The reserve in bytes; 0: no reserve.
    let size: Int64

    /// The number of slices in which it is released.
    static let slices: Int64 = 4

    /// - Parameter path: the database's path.
    init(besides path: String, size: Int64) {
        self.path = "\(path).reserve"
        self.size = size
    }

    /// The missing part of the reserve, in bytes.
    var missing: Int64 { max(0, size - held) }

    private var held: Int64 {
        var status = stat()
        // The allocated blocks, not the file's length.
        return stat(path, &status) == 0
            ? min(Int64(status.st_size), Int64(status.st_blocks) * 512) : 0
    }

    /// Allocates the whole reserve.
    ///
    /// - Returns: false if there is no space for it, or no files can be created on the disk.
    func fill() -> Bool {
        guard missing > 0 else { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isFilled = posix_fallocate(descriptor, 0, Int(size)) == 0
        // A partial allocation is released for others.
        if !isFilled { ftruncate(descriptor, 0) }
        return isFilled
    }

    /// Releases a slice.
    ///
    /// - Returns: false if the reserve is used up.
    func release() -> Bool {
        let left = held
        guard size > 0, left > 0 else { return false }
        return truncate(path, Int(max(0, left - size / DiskReserve.slices))) == 0
    }
}
