import Contract
import Testing

struct NetworkAddressTests {
    private static let texts: [(String, String?)] = [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("127.0.0.1", "127.0.0.1"),
        ("2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"), ("fe80::1", "fe80:0:0:0::/64"),
        ("::1", nil), ("", nil), ("abc", nil), ("abcdefg", nil), ("192.0.2.7.", nil),
        ("1.2.3.4 ann", nil),
    ]

    @Test(arguments: texts) func `A valid address is printed, an IPv6 one as its network`(
        _ written: String, _ text: String?
    ) {
        #expect(NetworkAddress(written).text == text)
    }
}
