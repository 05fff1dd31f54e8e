internal import CArchive
public import Tracking

/// Writes a ZIP file entry by entry, piece by piece, to wherever its bytes are wanted. Nothing is
/// kept but a block: entries and file may be of any size (ZIP64), and need not be known before.
@safe  // The handle is made in `init`, freed in `deinit`, and never leaves.
public final class ZIPWriter {
    /// Takes the bytes of the file, in order. What it throws ends the writing.
    public typealias Sink = ([UInt8]) throws(ArchiveError) -> Void

    private let handle: OpaquePointer
    private let sink: Sink
    /// Why the sink took no more.
    private var sinkFailure: ArchiveError?

    public init(_ sink: @escaping Sink) throws(ArchiveError) {
        guard let handle = unsafe archive_write_new() else {
            throw ArchiveError("out of memory")
        }
        unsafe self.handle = unsafe handle
        self.sink = sink
        try check(unsafe archive_write_set_format_zip(handle))
        try check(unsafe archive_write_set_bytes_per_block(handle, ZIPWriter.blockSize))
        try check(unsafe archive_write_set_bytes_in_last_block(handle, 1))
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try check(
            unsafe archive_write_open(
                handle, context, nil,
                { _, context, bytes, count in unsafe ZIPWriter.take(context, bytes, count) },
                nil))
    }

    deinit {
        // What was not finished must not look as if it were.
        unsafe archive_write_fail(handle)
        unsafe archive_write_free(handle)
    }

    /// Ends the entry before, and begins one.
    ///
    /// - Parameter name: ASCII.
    public func beginEntry(_ name: String, at time: Timestamp) throws(ArchiveError) {
        guard let entry = unsafe archive_entry_new() else { throw ArchiveError("out of memory") }
        defer { unsafe archive_entry_free(entry) }
        unsafe archive_entry_set_pathname(entry, name)
        unsafe archive_entry_set_filetype(entry, ZIPWriter.regularFile)
        unsafe archive_entry_set_perm(entry, ZIPWriter.permissions)
        unsafe archive_entry_set_mtime(entry, Int(time.milliseconds / 1000), 0)
        unsafe archive_entry_unset_size(entry)
        try check(unsafe archive_write_header(handle, entry))
    }

    public func write(_ bytes: [UInt8]) throws(ArchiveError) {
        guard !bytes.isEmpty else { return }
        let written = unsafe bytes.withUnsafeBytes {
            unsafe archive_write_data(handle, $0.baseAddress, $0.count)
        }
        guard written == bytes.count else { throw failure }
    }

    /// Writes the directory at the end. Without it the file is no ZIP file.
    public func finish() throws(ArchiveError) {
        try check(unsafe archive_write_close(handle))
    }

    private func check(_ code: Int32) throws(ArchiveError) {
        guard code != ARCHIVE_OK, code != ARCHIVE_WARN else { return }
        throw failure
    }

    private var failure: ArchiveError {
        if let sinkFailure { return sinkFailure }
        return unsafe ArchiveError(handle)
    }

    /// - Returns: how many bytes were taken; -1 where none can be.
    private static func take(
        _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int
    ) -> Int {
        guard let context = unsafe context, let bytes = unsafe bytes else { return -1 }
        let writer = unsafe Unmanaged<ZIPWriter>.fromOpaque(context).takeUnretainedValue()
        // Freed after a failure, the library tries once more to write the end.
        guard writer.sinkFailure == nil else { return -1 }
        do throws(ArchiveError) {
            try writer.sink(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)))
            return count
        } catch {
            writer.sinkFailure = error
            return -1
        }
    }

    private static let blockSize: Int32 = 65_536
    /// `S_IFREG`, in a type whose name differs from system to system.
    private static let regularFile: UInt32 = 0o100000
    private static let permissions: mode_t = 0o600
}
