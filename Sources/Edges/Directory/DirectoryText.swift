internal import CLDAP
internal import Foundation

/// Values within a directory's names and filters.
enum DirectoryText {
    /// As a value in a distinguished name (RFC 4514, 2.4). ASCII other than letters, digits and a
    /// few signs is escaped as bytes, which all servers read alike.
    static func escaped(name value: String) -> String {
        escaped(value.utf8) { "-._@".utf8.contains($0) || $0 >= 0x80 }
    }

    /// As a value in a filter (RFC 4515, 3).
    static func escaped(filter value: String) -> String { escaped(filter: value.utf8) }

    static func escaped(filter value: some Sequence<UInt8>) -> String {
        escaped(value) { " -._@".utf8.contains($0) }
    }

    private static func escaped(
        _ value: some Sequence<UInt8>, _ isPlain: (UInt8) -> Bool
    ) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for byte in value {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                bytes.append(byte)
            default:
                if isPlain(byte) {
                    bytes.append(byte)
                } else {
                    bytes += [UInt8(ascii: "\\"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the canonical form of the distinguished name, in lower case; nil if it is invalid or
    /// empty.
    static func normalized(name: String) -> String? {
        var parsed: LDAPDN?
        guard !name.isEmpty, !name.utf8.contains(0),
            unsafe ldap_str2dn(name, &parsed, UInt32(LDAP_DN_FORMAT_LDAPV3)) == LDAP_SUCCESS,
            let found = unsafe parsed
        else { return nil }
        defer { unsafe ldap_dnfree(found) }
        var text: UnsafeMutablePointer<CChar>?
        guard
            unsafe ldap_dn2str(found, &text, UInt32(LDAP_DN_FORMAT_LDAPV3)) == LDAP_SUCCESS,
            let written = unsafe text
        else { return nil }
        defer { unsafe ldap_memfree(written) }
        let name = unsafe String(cString: written)
        return name.isEmpty ? nil : name.precomposedStringWithCanonicalMapping.lowercased()
    }

    static func isFilter(_ text: String) -> Bool {
        guard let element = unsafe ber_alloc_t(LBER_USE_DER) else { return false }
        defer { unsafe ber_free(element, 1) }
        guard !text.utf8.contains(0) else { return false }
        return unsafe ldap_pvt_put_filter(element, text) == 0
    }
}
