internal import CArchive

/// The ZIP file could not be written on: libarchive's own words, or those of whoever takes the
/// bytes.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }

    init(_ handle: OpaquePointer) {
        let text = unsafe archive_error_string(handle)
        reason = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    }

    public var description: String { "The archive cannot be written: \(reason)." }
}
