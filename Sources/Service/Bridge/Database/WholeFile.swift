internal import Glibc

/// A file that only its owner may access, written under another name until it is complete.
package final class WholeFile {
    /// The path at which it is written.
    package let part: String
    private let path: String
    private let replacing: Bool
    private let descriptor: Int32
    private var isDone = false

    /// - Parameter replacing: whether an existing file of that name may be replaced.
    package init(_ path: String, replacing: Bool) throws(BridgeError) {
        self.path = path
        self.replacing = replacing
        part = "\(path).part"
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw BridgeError("\(path) exists and is not a regular file.")
            }
            guard replacing else { throw BridgeError("The file \(path) already exists.") }
        }
        descriptor = open(part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BridgeError.system("\(part) cannot be created") }
        // Of two processes that write the same file, only one continues.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw BridgeError("Another program is writing \(part).")
        }
        // Left by an interrupted process.
        for suffix in DatabaseFiles.suffixes { unlink(part + suffix) }
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            let error = BridgeError.system("\(part) cannot be written")
            discard()
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Removes a partial file that an interrupted process left; a file being written stays.
    package static func removePart(of path: String) {
        let part = "\(path).part"
        let descriptor = open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 || errno == ENOENT else { return }
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return }
        for suffix in [""] + DatabaseFiles.suffixes { unlink(part + suffix) }
    }

    /// Fills the file with the contents of another.
    package func copy(_ source: String) throws(BridgeError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw BridgeError.system("\(source) cannot be read") }
        defer { close(input) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count >= 0 else { throw BridgeError.system("\(source) cannot be read") }
            if count == 0 { return }
            try write(buffer[..<count])
        }
    }

    package func write(_ bytes: ArraySlice<UInt8>) throws(BridgeError) {
        var rest = bytes
        while !rest.isEmpty {
            let step = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard step > 0 else { throw BridgeError.system("\(part) cannot be written") }
            rest = rest.dropFirst(step)
        }
    }

    /// Gives the file its name; it is on disk when this returns.
    package func keep() throws(BridgeError) {
        guard fsync(descriptor) == 0 else { throw BridgeError.system("\(part) cannot be saved") }
        // A link never replaces a file created in the meantime; some file systems have no links.
        let isNamed =
            !replacing && link(part, path) == 0 && unlink(part) == 0
            || (replacing || errno != EEXIST) && rename(part, path) == 0
        guard isNamed else { throw BridgeError.system("\(path) cannot be created") }
        isDone = true
        try WholeFile.saveDirectory(of: path)
    }

    /// Removes the file unless it was kept.
    package func discard() {
        guard !isDone else { return }
        for suffix in [""] + DatabaseFiles.suffixes { unlink(part + suffix) }
    }

    /// New names are on disk once the directory is.
    static func saveDirectory(of path: String) throws(BridgeError) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw BridgeError.system("The directory of \(path) cannot be saved")
        }
    }
}
