internal import CArchive
public import Tracking

/// Writes a ZIP file to a sink, entry by entry and piece by piece. Only one block is kept in
/// memory: entries and file may be of any size (ZIP64), which need not be known in advance.
@safe  // The handle is made in `init`, freed in `deinit`, and never leaves.
public final class ZIPWriter {
    /// Receives the bytes of the file, in order. If it throws, the writing ends.
    public typealias Sink = ([UInt8]) throws(ArchiveError) -> Void

    private let handle: OpaquePointer
    private let sink: Sink
    /// The error thrown by the sink.
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
        // An unfinished file must not look complete.
        unsafe archive_write_fail(handle)
        unsafe archive_write_free(handle)
    }

    /// Ends the previous entry, and begins another one.
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

    /// Writes the central directory. Without it the file is not a valid ZIP file.
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

    /// - Returns: the number of bytes accepted; -1 on failure.
    private static func take(
        _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int
    ) -> Int {
        guard let context = unsafe context, let bytes = unsafe bytes else { return -1 }
        let writer = unsafe Unmanaged<ZIPWriter>.fromOpaque(context).takeUnretainedValue()
        // When freed after a failure, the library tries once more to write the end.
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
    /// `S_IFREG`, whose type differs between systems.
    private static let regularFile: UInt32 = 0o100000
    private static let permissions: mode_t = 0o600
}
