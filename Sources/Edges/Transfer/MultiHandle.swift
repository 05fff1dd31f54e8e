internal import CCurl

/// libcurl's handle for many transfers at once. Only its thread uses it, except for ``wake()``.
@safe
struct MultiHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    init?() {
        guard let handle = unsafe curl_multi_init() else { return nil }
        unsafe self.handle = unsafe handle
        unsafe curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, MultiHandle.idleConnections)
    }

    /// Ends the current or else the next ``wait()``. From any thread, before ``free()``.
    func wake() { unsafe curl_multi_wakeup(handle) }

    /// Waits until there is something to do.
    func wait() { unsafe curl_multi_poll(handle, nil, 0, MultiHandle.longestWait, nil) }

    /// Does everything that is due.
    ///
    /// - Returns: false if libcurl cannot continue.
    func perform() -> Bool {
        var count: Int32 = 0
        return unsafe curl_multi_perform(handle, &count) == CURLM_OK
    }

    func add(_ transfer: RunningTransfer) -> Bool {
        unsafe curl_multi_add_handle(handle, transfer.handle) == CURLM_OK
    }

    func remove(_ transfer: RunningTransfer) {
        unsafe curl_multi_remove_handle(handle, transfer.handle)
    }

    /// Returns the next transfer that has ended, with libcurl's code.
    func nextEnded() -> (TransferOrder.ID, CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            var context: UnsafeMutableRawPointer?
            unsafe curl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            let transfer = unsafe RunningTransfer.of(context)
            return (transfer.order.id, unsafe message.pointee.data.result)
        }
        return nil
    }

    func free() { unsafe curl_multi_cleanup(handle) }

    /// The number of connections kept open for the next transfer.
    private static let idleConnections = 64
    /// In milliseconds. libcurl applies its own time limits within it.
    private static let longestWait: Int32 = 60_000
}
