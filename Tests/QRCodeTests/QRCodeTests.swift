import QRCode
import Testing

/// Compared with another encoder: the codes are those of Debian's `python3-qrcodegen`, level M, with
/// one of the eight masks.
struct QRCodeTests {
    /// The squares of a row as the bits of a hexadecimal number.
    private static let known: [(text: String, rows: String)] = [
        (
            "a",
            """
            1fd57f 104641 174d5d 175d5d 17515d 105641 1fd57f 1700 117ef9 1a272b 144a7c \
            193cd6 19f5c7 19c6 1fd982 104f2a 17567f 174b2b 174a7c 1048d4 1fddc5
            """
        ),
        (
            "https://kith.example.org/",
            """
            1fd387f 1049141 175ce5d 174fe5d 174945d 1058541 1fd557f 3000 146d325 \
            150436b 5c7b8d 16b9498 155461 c01be3 19d524d 703138 18653f2 10911 1fd2151 \
            1047712 17413f2 174a596 17564bb 104f170 1fdb3c9
            """
        ),
        (
            "https://192.168.178.23:8443/ca.crt",
            """
            1fc69b7f 1042e141 174d9e5d 174fe35d 1746d95d 1058c341 1fd5557f e4a00 \
            12d635a0 e896c69 169030e 4127036 9570f4b 19270e20 187518ef 1caccaea \
            1acddc22 7911549 11f28c33 3159ff3 17ed55f4 129117 1fc4c952 1050971f \
            174e79f1 175bdade 174a043d 1043ad4a 1fd08b52
            """
        ),
        (
            "Grüße €😀",
            """
            1fdce7f 105c941 174515d 175265d 174e55d 1044b41 1fd557f 14300 16e1b4b a13e59 \
            1ee988d bbe161 dc7615 a9f4ed f42be6 129e646 3757f0 18714 1fdcf57 1056d15 \
            174cfff 175c195 175075e 104bf0c 1fd236f
            """
        ),
    ]

    @Test(arguments: known)
    func `A code equals that of another encoder`(_ text: String, _ rows: String) throws {
        let own = try #require(QRCode(text)).rows.map { row in
            String(row.reduce(UInt64(0)) { $0 << 1 | ($1 ? 1 : 0) }, radix: 16)
        }
        #expect(own == rows.split(separator: " ").map(String.init))
    }

    @Test func `An overlong text has no code`() {
        #expect(QRCode(String(repeating: "z", count: 213)) != nil)
        #expect(QRCode(String(repeating: "z", count: 214)) == nil)
    }

    @Test func `A terminal code has a quiet zone, and two rows per line`() throws {
        let code = try #require(QRCode("a"))
        let lines = code.halfBlocks
        #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
        #expect(lines[0] == String(repeating: "█", count: 29))
        // The upper left finder: its two first rows are dark at the left.
        #expect(lines[2].hasPrefix("████ ▄▄▄▄▄ "))
    }
}
