internal import CLDAP

/// An entry as the server has sent it.
struct FoundEntry {
    let name: String
    /// The first value of each requested attribute that exists.
    private var values: [String: [UInt8]] = [:]

    /// Copies the message's content.
    @unsafe init(_ message: OpaquePointer, _ handle: OpaquePointer, _ attributes: [String])
        throws(DirectoryError)
    {
        guard let name = unsafe ldap_get_dn(handle, message) else { throw .malformed }
        defer { unsafe ldap_memfree(name) }
        self.name = unsafe String(cString: name)
        for attribute in attributes {
            guard let list = unsafe ldap_get_values_len(handle, message, attribute) else {
                continue
            }
            defer { unsafe ldap_value_free_len(list) }
            guard let first = unsafe list[0], let bytes = unsafe first.pointee.bv_val else {
                continue
            }
            let count = Int(clamping: unsafe first.pointee.bv_len)
            guard (1...FoundEntry.longestValue).contains(count) else { continue }
            values[attribute] = unsafe UnsafeBufferPointer(start: bytes, count: count).map {
                UInt8(bitPattern: $0)
            }
        }
    }

    /// In bytes; longer values are ignored.
    private static let longestValue = 1024

    func bytes(_ attribute: String) -> [UInt8]? { values[attribute] }

    func text(_ attribute: String) -> String? {
        values[attribute].flatMap { String(validating: $0, as: UTF8.self) }
    }
}
