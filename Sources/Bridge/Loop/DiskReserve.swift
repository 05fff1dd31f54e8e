internal import Glibc

/// A file beside the database that keeps room on the disk: when the disk is full it is cut off, a
/// slice at a time, and what becomes free is for calls for help.
///
/// Whoever else fills the disk can take that room, too, and so it is not given away at once.
struct DiskReserve {
    let path: String
    /// In bytes; 0: there is no reserve.
    let size: Int64

    /// In how many slices it is given away.
    static let slices: Int64 = 4

    /// - Parameter path: of the database.
    init(besides path: String, size: Int64) {
        self.path = "\(path).reserve"
        self.size = size
    }

    /// How much of it is not there, in bytes.
    var missing: Int64 { max(0, size - held) }

    private var held: Int64 {
        var status = stat()
        // What was promised to the file, not what its length says.
        return stat(path, &status) == 0
            ? min(Int64(status.st_size), Int64(status.st_blocks) * 512) : 0
    }

    /// Makes it as large as it should be.
    ///
    /// - Returns: false if there is no room for it, or the disk does not let files be made.
    func fill() -> Bool {
        guard missing > 0 else { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isFilled = posix_fallocate(descriptor, 0, Int(size)) == 0
        // What was filled of it in part is left for others.
        if !isFilled { ftruncate(descriptor, 0) }
        return isFilled
    }

    /// Gives a slice of it away.
    ///
    /// - Returns: false if nothing is left of it.
    func release() -> Bool {
        let left = held
        guard size > 0, left > 0 else { return false }
        return truncate(path, Int(max(0, left - size / DiskReserve.slices))) == 0
    }
}
