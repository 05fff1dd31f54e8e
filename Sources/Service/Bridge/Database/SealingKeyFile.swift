internal import Glibc
public import Sealing

/// The vital-signs keys: a file that only its owner may read, beside the database and not in it, so
/// that neither the database nor a backup reveals anything by itself.
public struct SealingKeyFile {
    public let path: String

    /// - Parameter path: the database's path; the directory `keys` is beside it.
    public init(besides path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        self.path = parent + "/keys/vitals"
    }

    /// - Returns: nil if there is no file.
    public func read() throws(BridgeError) -> SealingKeys? {
        guard let text = try text() else { return nil }
        guard let keys = SealingKeys(text) else {
            throw BridgeError("The file \(path) contains no keys: restore a copy of it.")
        }
        return keys
    }

    /// Adds a key; everything is encrypted with it from the bridge's next start.
    ///
    /// - Parameter known: the number of the last key used for encryption.
    /// - Returns: its number.
    @discardableResult
    public func add(after known: Int64) throws(BridgeError) -> Int64 {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw BridgeError.system("The directory \(directory) cannot be created")
        }
        let before = try text() ?? ""
        let number = max(known, try read()?.newest ?? 0) + 1
        var random = SystemRandomNumberGenerator()
        let line = SealingKeys.newLine(number, using: &random)
        let file = try WholeFile(path, replacing: true)
        let separator = before.isEmpty || before.hasSuffix("\n") ? "" : "\n"
        do throws(BridgeError) {
            try file.write(Array("\(before)\(separator)\(line)\n".utf8)[...])
            try file.keep()
        } catch {
            file.discard()
            throw error
        }
        return number
    }

    private func text() throws(BridgeError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw BridgeError.system("\(path) cannot be read")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: SealingKeyFile.maximumSize)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw BridgeError.system("\(path) cannot be read") }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static let maximumSize = 1 << 16
}
