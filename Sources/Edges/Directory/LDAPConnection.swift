internal import CLDAP
internal import Glibc
internal import Numbers

/// A connection to the directory: libldap's handle, which one thread uses. Whatever the server
/// does, its calls end by the deadline; only name resolution takes as long as the system allows.
///
/// Settings of the machine (`ldap.conf`) and of the environment are overridden wherever they could
/// weaken the connection. Referrals are not followed.
@safe final class LDAPConnection {
    private let handle: OpaquePointer
    private let descriptor: Int32
    private let deadline: ContinuousClock.Instant
    private let cut: SocketDeadline

    /// Connects, encrypted if the server's settings require it.
    init(to server: DirectoryServer, until deadline: ContinuousClock.Instant)
        throws(DirectoryError)
    {
        LDAPSocket.blockSignals()
        descriptor = try LDAPSocket.connected(to: server, until: deadline)
        self.deadline = deadline
        cut = SocketDeadline(descriptor, at: deadline)
        var made: OpaquePointer?
        guard
            unsafe ldap_init_fd(descriptor, LDAP_PROTO_TCP, server.url, &made) == LDAP_SUCCESS,
            let handle = unsafe made
        else {
            close(descriptor)
            throw .failed(LDAP_NO_MEMORY)
        }
        unsafe self.handle = handle
        try set(server)
        switch server.security {
        case .none: break
        case .startTLS:
            try startTLS()
            try encrypt()
        case .tls: try encrypt()
        }
    }

    /// Also closes the socket.
    deinit { unsafe ldap_unbind_ext_s(handle, nil, nil) }

    private func set(_ server: DirectoryServer) throws(DirectoryError) {
        var results = [
            unsafe ldap_set_number(handle, LDAP_OPT_PROTOCOL_VERSION, LDAP_VERSION3),
            unsafe ldap_set_switch(handle, LDAP_OPT_REFERRALS, 0),
            unsafe ldap_set_number(handle, LDAP_OPT_DEREF, LDAP_DEREF_NEVER),
            unsafe ldap_set_largest(handle, LDAPConnection.largestMessage),
        ]
        if server.security != .none {
            results += [
                unsafe ldap_set_number(
                    handle, LDAP_OPT_X_TLS_REQUIRE_CERT, LDAP_OPT_X_TLS_DEMAND),
                // TLS 1.2, whose macro Swift does not import.
                unsafe ldap_set_number(handle, LDAP_OPT_X_TLS_PROTOCOL_MIN, (3 << 8) + 3),
                unsafe ldap_set_text(
                    handle, LDAP_OPT_X_TLS_CACERTFILE,
                    server.authorities ?? LDAPConnection.systemAuthorities),
                // Ignores the authorities of `ldap.conf`, which no one chose for this.
                unsafe ldap_set_text(handle, LDAP_OPT_X_TLS_CACERTDIR, nil),
                unsafe ldap_set_number(handle, LDAP_OPT_X_TLS_NEWCTX, 0),
            ]
        }
        // An unreadable file of authorities is detected here.
        guard results.allSatisfy({ $0 == 0 }) else { throw .tls }
        try unsafe check(ldap_set_time(handle, LDAP_OPT_NETWORK_TIMEOUT, try rest()))
        try unsafe check(ldap_set_time(handle, LDAP_OPT_TIMEOUT, try rest()))
    }

    /// Debian's.
    private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"
    /// In bytes: no requested entry is as large.
    private static let largestMessage = UInt(1 << 20)

    private func startTLS() throws(DirectoryError) {
        var number: Int32 = 0
        try unsafe check(ldap_start_tls(handle, nil, nil, &number))
        let answer = try unsafe self.answer(to: number)
        defer { unsafe ldap_msgfree(answer) }
        let code = try unsafe result(in: answer)
        guard code == LDAP_SUCCESS else { throw .tls }
    }

    private func encrypt() throws(DirectoryError) {
        guard unsafe ldap_install_tls(handle) == LDAP_SUCCESS else {
            throw ContinuousClock.now < deadline ? .tls : .timedOut
        }
        LDAPSocket.waitForNothing(descriptor)
    }

    // MARK: Requests

    /// Binds with a password (RFC 4513, 5.1.3), and never without one: a server treats that as an
    /// anonymous bind, and lets it succeed (5.1.2).
    ///
    /// - Returns: the server's code; invalid credentials, without a request, if the name or the
    ///   password is empty.
    func bind(as name: String, password: [UInt8]) throws(DirectoryError) -> Int32 {
        guard !name.isEmpty, !password.isEmpty else { return LDAP_INVALID_CREDENTIALS }
        var password = password.map { CChar(bitPattern: $0) }
        var number: Int32 = 0
        let code = unsafe password.withUnsafeMutableBufferPointer { bytes in
            var value = unsafe berval(bv_len: UInt(bytes.count), bv_val: bytes.baseAddress)
            return unsafe ldap_sasl_bind(handle, name, nil, &value, nil, nil, &number)
        }
        try check(code)
        let answer = try unsafe self.answer(to: number)
        defer { unsafe ldap_msgfree(answer) }
        return try unsafe result(in: answer)
    }

    enum Scope {
        case entry, tree
    }

    /// - Returns: at most ``mostFound`` entries, and the server's code.
    func search(
        _ base: String, _ scope: Scope, _ filter: String, _ attributes: [String]
    ) throws(DirectoryError) -> (found: [FoundEntry], code: Int32) {
        var names = unsafe attributes.map { unsafe strdup($0) }
        defer { unsafe names.forEach { unsafe free($0) } }
        unsafe names.append(nil)
        var (number, limit) = (Int32(0), try rest())
        try unsafe check(
            ldap_search_ext(
                handle, base, scope == .tree ? LDAP_SCOPE_SUBTREE : LDAP_SCOPE_BASE, filter, &names,
                0, nil, nil, &limit, Int32(LDAPConnection.mostFound), &number))
        var found: [FoundEntry] = []
        while true {
            let message = try unsafe answer(to: number)
            defer { unsafe ldap_msgfree(message) }
            switch unsafe ldap_msgtype(message) {
            case Int32(LDAP_RES_SEARCH_ENTRY):
                found.append(try unsafe FoundEntry(message, handle, attributes))
                guard found.count < LDAPConnection.mostFound else {
                    unsafe ldap_abandon_ext(handle, number, nil, nil)
                    return (found, LDAP_SUCCESS)
                }
            case Int32(bitPattern: UInt32(LDAP_RES_SEARCH_RESULT)):
                return (found, try unsafe result(in: message))
            default: continue  // A referral, which is not followed.
            }
        }
    }

    /// Two are as ambiguous as many.
    private static let mostFound = 2

    // MARK: Answers

    private func rest() throws(DirectoryError) -> timeval {
        let rest = (deadline - .now) / .milliseconds(1)
        guard rest > 1 else { throw .timedOut }
        let milliseconds = Int(clamping: min(rest, 86_400_000))
        return timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    }

    /// Returns the next message of the answer. It never waits for all of them: a server may send
    /// any number.
    ///
    /// - Returns: a message that the caller frees.
    @unsafe private func answer(to number: Int32) throws(DirectoryError) -> OpaquePointer {
        var limit = try rest()
        var message: OpaquePointer?
        let kind = unsafe ldap_result(handle, number, LDAP_MSG_ONE, &limit, &message)
        guard kind > 0, let message = unsafe message else {
            throw kind == 0 ? .timedOut : .unreachable
        }
        return unsafe message
    }

    @unsafe private func result(in message: OpaquePointer) throws(DirectoryError) -> Int32 {
        var code: Int32 = 0
        try unsafe check(
            ldap_parse_result(handle, message, &code, nil, nil, nil, nil, 0))
        if code == LDAP_REFERRAL { throw .redirected }
        return code
    }

    private func check(_ code: Int32) throws(DirectoryError) {
        switch code {
        case LDAP_SUCCESS: return
        case LDAP_SERVER_DOWN, LDAP_CONNECT_ERROR: throw .unreachable
        case LDAP_TIMEOUT: throw .timedOut
        case LDAP_FILTER_ERROR: throw .malformed
        default: throw .failed(code)
        }
    }
}
