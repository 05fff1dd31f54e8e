internal import FakeGPS
internal import Glibc

/// A failure outside the program; exit status 1.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// The file that a track comes from.
enum SourceFile {
    private static let chunk = 1 << 16

    /// Reads the whole file, or until it is too large for a reader to accept.
    ///
    /// - Parameter path: `-` for standard input.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while bytes.count <= Track.maximumSize {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure() }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    private static func failure() -> Failure {
        let reason = String(cString: strerror(errno))
        return Failure(description: "the track's file cannot be read: \(reason).")
    }
}
