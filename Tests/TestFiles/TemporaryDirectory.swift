import FoundationEssentials
import Glibc

/// Runs `body` with a new, empty directory, and removes the directory after it.
public func withTemporaryDirectory<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (String) async throws -> R
) async throws -> R {
    var name = Array("/tmp/kith-test-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw CocoaError(.fileWriteUnknown) }
    let directory = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
        do {
            try FileManager.default.removeItem(atPath: directory)
        } catch {
            print("\(directory) stays behind: \(error)")
        }
    }
    return try await body(directory)
}
