internal import CCurl
internal import Glibc
internal import Numbers

extension RunningTransfer {
    /// Sets the options of every transfer.
    func setLimits() throws(TransferError) {
        let limits = order.limits
        try set(
            CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(clamping: limits.connecting / .milliseconds(1))))
        try set(CURLOPT_TIMEOUT_MS, max(1, Int(clamping: limits.total / .milliseconds(1))))
        try set(CURLOPT_NOSIGNAL, 1)
        // A hanging name server delays no other transfer after the time limit.
        try set(CURLOPT_QUICK_EXIT, 1)
        // Overrides the environment.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    }

    func set(_ request: HTTPRequest) throws(TransferError) {
        try set(CURLOPT_PROTOCOLS_STR, request.endpoint.isEncrypted ? "https" : "http")
        try set(CURLOPT_URL, request.endpoint.url)
        try set(CURLOPT_USERAGENT, "Kith")
        if let authorities = request.authorities { try set(CURLOPT_CAINFO, authorities) }
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .post:
            try check(
                unsafe curl_set_offset(
                    handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
            try check(
                unsafe request.body.withUnsafeBytes {
                    // An empty body is also a body.
                    unsafe curl_set_pointer(
                        handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(handle))
                })
        }
        // Headers that libcurl would add by itself: without a value it does not.
        var lines = ["Expect:"]
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        lines += request.headers.map { "\($0.name): \($0.value)" }
        try set(CURLOPT_HTTPHEADER, lines)
    }

    func set(_ mail: MailSubmission) throws(TransferError) {
        let server = mail.server
        let scheme = server.security == .tls ? "smtps" : "smtp"
        try set(CURLOPT_PROTOCOLS_STR, scheme)
        // The path is the name for the greeting: the sender's domain.
        let domain = mail.from.drop { $0 != "@" }.dropFirst()
        try set(CURLOPT_URL, "\(scheme)://\(server.host):\(server.port)/\(domain)")
        if server.security != .none { try set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
        if let authorities = server.authorities { try set(CURLOPT_CAINFO, authorities) }
        if let login = server.login {
            try set(CURLOPT_USERNAME, login.user)
            try set(CURLOPT_PASSWORD, login.password)
        }
        try set(
            CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, Int(clamping: mail.limits.total / .seconds(1))))
        if !keepsConnection { try set(CURLOPT_FORBID_REUSE, 1) }
        try noteCommands()
        try set(CURLOPT_MAIL_FROM, "<\(mail.from)>")
        try set(CURLOPT_MAIL_RCPT, ["<\(mail.to)>"])
        try set(CURLOPT_UPLOAD, 1)
        try check(
            unsafe curl_set_offset(
                handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(mail.message.count)))
    }

    /// Records the commands: libcurl does not report which command a reply is about.
    private func noteCommands() throws(TransferError) {
        try set(CURLOPT_VERBOSE, 1)
        try check(
            unsafe curl_set_pointer(
                handle, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(self).toOpaque()))
        try check(
            unsafe curl_set_tracer(handle) { _, kind, bytes, count, context in
                if kind == CURLINFO_HEADER_OUT {
                    unsafe RunningTransfer.of(context).noteCommand(
                        UnsafeRawBufferPointer(start: bytes, count: count))
                }
                return 0
            })
    }

    func setCallbacks() throws(TransferError) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try check(unsafe curl_set_pointer(handle, CURLOPT_PRIVATE, context))
        for option in [
            CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_OPENSOCKETDATA,
            CURLOPT_PREREQDATA,
        ] {
            try check(unsafe curl_set_pointer(handle, option, context))
        }
        try check(
            unsafe curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
                return unsafe RunningTransfer.of(context).takeHead(line) ? count : 0
            })
        try check(
            unsafe curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
                return unsafe RunningTransfer.of(context).takeBody(piece) ? count : 0
            })
        try check(
            unsafe curl_set_supplier(handle) { bytes, size, count, context in
                let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return unsafe RunningTransfer.of(context).supply(room)
            })
        try check(
            unsafe curl_set_socket_opener(handle) { context, _, address in
                unsafe openSocket(RunningTransfer.of(context), address)
            })
        if let sockets {
            let context = unsafe Unmanaged.passUnretained(sockets).toOpaque()
            try check(unsafe curl_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, context))
            try check(
                unsafe curl_set_socket_closer(handle) { context, descriptor in
                    guard let context = unsafe context else { preconditionFailure("set above") }
                    return unsafe Unmanaged<OpenSockets>.fromOpaque(context).takeUnretainedValue()
                        .close(descriptor)
                })
        }
        // A connection may be left from a transfer with more permissions.
        try check(
            unsafe curl_set_last_check(handle) { context, address, _, _, _ in
                let address = unsafe address.flatMap { unsafe IPAddress(String(cString: $0)) }
                return unsafe RunningTransfer.of(context).permits(address)
                    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
    }

    @unsafe static func of(_ context: UnsafeMutableRawPointer?) -> RunningTransfer {
        guard let context = unsafe context else { preconditionFailure("set in init") }
        return unsafe Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
    }
}

/// - Returns: -1 if there is no socket, or it is not permitted.
@unsafe private func openSocket(
    _ transfer: RunningTransfer, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address = unsafe address, let found = unsafe curl_address(address),
        transfer.permits(unsafe IPAddress(found))
    else { return -1 }
    let kind = unsafe address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = unsafe socket(address.pointee.family, kind, address.pointee.protocol)
    // A connection that has died silently is not kept for the next transfer.
    var milliseconds = unacknowledgedMilliseconds
    unsafe setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds,
        socklen_t(MemoryLayout<UInt32>.size))
    if descriptor >= 0, transfer.sockets?.add(descriptor) == false {
        close(descriptor)
        return -1
    }
    return descriptor
}

/// How long sent data may stay unacknowledged (`tcp(7)`).
private let unacknowledgedMilliseconds: UInt32 = 5000
