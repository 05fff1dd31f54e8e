internal import CArchive

/// Reads a file packed by gzip, or a ZIP file of several.
public enum ArchiveReader {
    /// Returns whether the bytes begin like a file that ``files(in:atMost:)`` reads.
    public static func isArchive(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: Array("PK\u{3}\u{4}".utf8))
    }

    /// Unpacks the files that are wanted.
    ///
    /// - Parameters:
    ///   - bytes: The whole archive.
    ///   - limit: The maximum number of unpacked bytes, in total.
    ///   - isWanted: Whether a file is unpacked, by its name; that of a file packed by gzip is
    ///     `data`.
    /// - Throws: ``ArchiveError`` if the archive is damaged or exceeds the limit.
    public static func files(
        in bytes: [UInt8], atMost limit: Int, where isWanted: (String) -> Bool = { _ in true }
    ) throws(ArchiveError) -> [(name: String, bytes: [UInt8])] {
        guard let handle = unsafe archive_read_new() else { throw ArchiveError("out of memory") }
        defer { unsafe archive_read_free(handle) }
        unsafe archive_read_support_filter_gzip(handle)
        unsafe archive_read_support_format_zip(handle)
        unsafe archive_read_support_format_raw(handle)
        do {
            return try unsafe bytes.withUnsafeBytes { buffer in
                guard
                    unsafe archive_read_open_memory(handle, buffer.baseAddress, buffer.count)
                        == ARCHIVE_OK
                else { throw unsafe ArchiveError(handle) }
                return try unsafe files(from: handle, limit, isWanted)
            }
        } catch let error as ArchiveError {
            throw error
        } catch {
            throw ArchiveError("\(error)")
        }
    }

    private static func files(
        from handle: OpaquePointer, _ limit: Int, _ isWanted: (String) -> Bool
    ) throws -> [(name: String, bytes: [UInt8])] {
        var (found, room) = ([(name: String, bytes: [UInt8])](), limit)
        var entry: OpaquePointer?
        while true {
            let status = unsafe archive_read_next_header(handle, &entry)
            if status == ARCHIVE_EOF { return found }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN else {
                throw unsafe ArchiveError(handle)
            }
            let name = unsafe archive_entry_pathname(entry).map { unsafe String(cString: $0) } ?? ""
            guard isWanted(name) else { continue }
            let content = try unsafe content(of: handle, atMost: room)
            room -= content.count
            found.append((name, content))
        }
    }

    private static func content(of handle: OpaquePointer, atMost room: Int) throws -> [UInt8] {
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: pieceSize)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes {
                unsafe archive_read_data(handle, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw unsafe ArchiveError(handle) }
            if count == 0 { return content }
            content += piece.prefix(count)
            guard content.count <= room else { throw ArchiveError("there is too much in it") }
        }
    }

    private static let pieceSize = 65_536
}
