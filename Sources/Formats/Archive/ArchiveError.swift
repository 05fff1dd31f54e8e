internal import CArchive

/// A failure to write a ZIP file or to read an archive; the reason comes from libarchive or the
/// sink.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }

    init(_ handle: OpaquePointer) {
        let text = unsafe archive_error_string(handle)
        reason = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    }

    public var description: String { "The ZIP file cannot be written: \(reason)." }
}
