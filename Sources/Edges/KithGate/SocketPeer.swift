internal import Contract
internal import Gate
internal import Glibc

/// Inspects sockets whose client the broker does not know yet.
enum SocketPeer {
    /// Nil for a listener, and for anything but a TCP connection.
    static func pendingConnection(_ descriptor: Int32) -> PendingConnections.Entry? {
        var status = stat()
        guard !isListening(descriptor), unsafe fstat(descriptor, &status) == 0,
            let figures = SocketFigures(descriptor), let address = address(descriptor)
        else { return nil }
        return PendingConnections.Entry(
            number: UInt(status.st_ino), address: address, received: figures.received)
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        var isListening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let code = unsafe getsockopt(
            descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length)
        return code != 0 || isListening != 0
    }

    private static func address(_ descriptor: Int32) -> NetworkAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe getpeername(descriptor, address, &length) == 0 else { return EAI_FAIL }
                return unsafe getnameinfo(
                    address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            }
        }
        guard code == 0 else { return nil }
        return NetworkAddress(
            String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
