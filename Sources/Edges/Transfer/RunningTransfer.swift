internal import CCurl
internal import Glibc

/// A transfer under way. Only the thread of its ``TransferLoop`` uses it.
@safe  // The handle is made in `init`, freed in `deinit`, and never leaves the loop.
final class RunningTransfer {
    let order: TransferOrder
    let handle: UnsafeMutableRawPointer
    /// The record of its sockets, if there is one; outlives the connections.
    let sockets: OpenSockets?
    /// Whether the connection may stay open afterwards.
    let keepsConnection: Bool
    /// Owned by the handle's options.
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []

    /// The number of bytes received of the head, or heads.
    private var headCount = 0
    /// Whether the final answer's head is complete.
    private var hasHead = false
    private var bodyCount = 0
    private var body: [UInt8] = []
    /// The beginning of the mail server's failure reply to the last command.
    private var refusal: [UInt8] = []
    /// Whether the last command to the mail server was about the recipient.
    private var isAboutRecipient = false
    /// The number of bytes sent of the message.
    private var sentCount = 0
    /// Whether an address was refused.
    private var hasRefused = false

    init(_ order: TransferOrder, _ sockets: OpenSockets?, keepsConnection: Bool)
        throws(TransferError)
    {
        guard let handle = unsafe curl_easy_init() else { throw .failed(outOfMemory) }
        self.order = order
        self.sockets = sockets
        self.keepsConnection = keepsConnection
        unsafe self.handle = unsafe handle
        try setLimits()
        try setCallbacks()
        switch order.work {
        case .http(let request): try set(request)
        case .mail(let mail): try set(mail)
        }
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        while let list = unsafe lists.popLast() { unsafe curl_slist_free_all(list) }
    }

    // MARK: The end

    /// - Parameter code: libcurl's result.
    func result(_ code: CURLcode) -> Result<TransferAnswer, TransferError> {
        if hasRefused, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
            return .failure(.refusedAddress)
        }
        let status = number(CURLINFO_RESPONSE_CODE)
        switch order.work {
        case .http:
            // Once the status is known, it is the answer, whatever happens to the body.
            guard code == CURLE_OK || hasHead else {
                return .failure(
                    headCount > order.limits.answer ? .tooLarge : TransferError(code))
            }
            guard !(300..<400).contains(status) else { return .failure(.redirected) }
            guard (200..<600).contains(status) else { return .failure(.protocolViolation) }
        case .mail:
            guard code == CURLE_OK || isAnswer(status, code) else {
                return .failure(TransferError(code))
            }
        }
        return .success(
            TransferAnswer(
                code: status, retryAfter: retryAfter, body: body, refusal: refusal,
                isAboutRecipient: isAboutRecipient))
    }

    private func isAnswer(_ reply: Int, _ code: CURLcode) -> Bool {
        let isAboutServer = code == CURLE_LOGIN_DENIED || code == CURLE_USE_SSL_FAILED
        return (400..<500).contains(reply) && code != CURLE_USE_SSL_FAILED
            || (500..<600).contains(reply) && !isAboutServer
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe curl_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    private var retryAfter: Duration? {
        var seconds: curl_off_t = 0
        guard unsafe curl_get_offset(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK,
            seconds > 0
        else { return nil }
        return .seconds(min(Int64(seconds), RunningTransfer.longestWait))
    }

    /// A day, in seconds.
    private static let longestWait: Int64 = 86_400

    // MARK: libcurl's callbacks

    /// - Returns: whether to continue.
    func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        headCount += line.count
        let isEnd = unsafe line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8)
        if isEnd, number(CURLINFO_RESPONSE_CODE) >= 200 { hasHead = true }
        if case .mail = order.work, unsafe line.first == UInt8(ascii: "5") {
            let room = max(0, MailReply.longestRefusal - refusal.count)
            unsafe refusal += line.prefix(room)
        }
        return headCount <= order.limits.answer
    }

    /// - Parameter line: a command to the mail server.
    func noteCommand(_ line: UnsafeRawBufferPointer) {
        // Later commands, such as QUIT, change nothing.
        for (verb, isRecipient) in [("RCPT", true), ("MAIL", false), ("DATA", false)]
        where unsafe line.starts(with: verb.utf8) {
            (isAboutRecipient, refusal) = (isRecipient, [])
        }
    }

    /// - Returns: whether to continue.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bodyCount += bytes.count
        let room = max(0, order.limits.kept - body.count)
        unsafe body += bytes.prefix(room)
        return bodyCount <= order.limits.answer
    }

    /// - Returns: the number of bytes supplied of the message.
    func supply(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard case .mail(let mail) = order.work else { return 0 }
        let piece = mail.message[sentCount...].prefix(room.count)
        unsafe room.copyBytes(from: piece)
        sentCount += piece.count
        return piece.count
    }

    /// Returns whether a connection to the address may be made or used.
    func permits(_ address: IPAddress?) -> Bool {
        let isPermitted = address.map {
            policy.permits(
                $0, encrypted: isEncrypted,
                localNetworks: policy == .any ? [] : LocalNetworks.current())
        }
        guard isPermitted ?? false else {
            hasRefused = true
            return false
        }
        return true
    }

    private var policy: AddressPolicy {
        switch order.work {
        case .http(let request): request.addresses
        case .mail(let mail): mail.server.security == .none ? .loopback : .any
        }
    }

    private var isEncrypted: Bool {
        switch order.work {
        case .http(let request): request.endpoint.isEncrypted
        case .mail(let mail): mail.server.security != .none
        }
    }

    // MARK: Options

    func set(_ option: CURLoption, _ value: Int) throws(TransferError) {
        try check(unsafe curl_set_long(handle, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(TransferError) {
        try check(unsafe curl_set_text(handle, option, value))
    }

    func set(_ option: CURLoption, _ values: [String]) throws(TransferError) {
        guard let list = unsafe RunningTransfer.list(values) else { throw .failed(outOfMemory) }
        unsafe lists.append(list)
        try check(unsafe curl_set_list(handle, option, list))
    }

    func check(_ code: CURLcode) throws(TransferError) {
        guard code == CURLE_OK else { throw TransferError(code) }
    }

    @unsafe private static func list(_ values: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = unsafe curl_slist_append(list, value) else {
                unsafe curl_slist_free_all(list)
                return nil
            }
            unsafe list = unsafe longer
        }
        return unsafe list
    }
}

let outOfMemory = Int32(bitPattern: CURLE_OUT_OF_MEMORY.rawValue)
