import Foundation
import Glibc

/// A new, empty directory, which is removed with this object.
public final class TemporaryDirectory {
    public let path: String

    public init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        var name = Array("\(parent)/kith-test-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("\(path) stays behind: \(error)")
        }
    }
}

/// Runs `body` with a new, empty directory, and removes the directory after it.
public func withTemporaryDirectory<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (String) async throws -> R
) async throws -> R {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    return try await body(directory.path)
}
