import Testing

@testable import QRCode

/// Compared with another program: with one of the eight masks, codes are those of `qrencode -l M
/// -8`.
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
            "https://kith.example.org/#/invitation/" + String(repeating: "x", count: 110),
            """
            1fc1901ac117f 104394ff94f41 175b4fe5ba35d 1754a2b8a3a5d 175404fec185d \
            105436479cc41 1fd555555557f 10ac453e700 17c6877c6b17c 9d12dac18ce \
            fa888794e9b 1c9479271c731 f2c8706b124 162ab3d9d184e 104be18db4e1b \
            149c0f253e731 4ce1b706b164 101afa9ac18c2 1d56980f94e9b b812576b31 \
            1bd7537023344 148b02fac18fe 13f2acff145fb d1289c53e511 135b25d46b354 \
            1d150646c191e 15ffef7f94dfb c358b4f1e582 bee4aae4b236 173e2cb5e3a6c \
            105a5e5aa7dcb b26704d3e591 a427ba46b2b7 171162b2c1aa2 e53489b94d4b \
            427918dfa511 a4887e4ab234 1c2a5eb24126e 8e5205b1c4cb e07ad0d3e591 \
            1c5c6dfc6b3f4 117ac6c191c 1fc5d2d794d59 105a95c71c510 1756107e6b1f6 \
            175c6f45c093f 1759a9f1b6c68 10472f893e6c1 1fded33c6b387
            """
        ),
        (
            String(repeating: "y", count: 200),
            """
            1fd365155555e7f 1041f06ddddda41 175f02689888e5d 174c65ba8aaaa5d \
            1748641fd55525d 1052b02c4dddc41 1fd55555555557f 1ba9c7777500 \
            146306c7d555425 1904a3a6aaaaaa7 3cf0f162222125 1834a5a777757a \
            a5376335555452 1984233eaaaaaa7 7431feb2222125 4073a7f7777578 e5b464d5555452 \
            1a841026aaaaaa7 4717962222125 5ab125bf77757a fcb49c19555452 1ab51966eaaaaa7 \
            6a1a96e222125 1d8c1d5b477757a 7db45c14555452 1a8516669aaaaa7 \
            19fa909fc2221f5 151f5e5c777751a 15899cd5555752 1f14c26c6aaab17 \
            1ffb4097e2221f5 13aebe9df7777da 1c4819dc9555682 824c286aaaa8a4 \
            195bd0516222054 17963e45f7777d8 18481bcf9555683 8202127aaaa8a7 \
            18d7c25e6222055 1016179ff7777da 19cf104c9555682 9a02a66aaaa8a7 \
            9d0cc516222055 81e1f9dc7777da 9ea1b4cf555682 9aa2966aaaa8a7 14d10151e222055 \
            1f2e9c9db7777da 6a0f4fd5557f2 1909646aaab17 1fd331d56222355 104d1c94777751a \
            174acf37d5555f2 1749e93f6aaab74 1753a1a96222157 104d2c3ab7776a8 \
            1fde9f061555621
            """
        ),
    ]

    @Test(arguments: known)
    func `A code equals that of another program`(_ text: String, _ rows: String) throws {
        let wanted = rows.split(separator: " ").map { UInt64($0, radix: 16) }
        let codes = try (0..<8).map { mask in
            try #require(QRCode(text, mask: mask)).rows.map { row in
                row.reduce(UInt64(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
        }
        #expect(codes.contains { $0 == wanted })
        let own = try #require(QRCode(text)).rows.map { row in
            row.reduce(UInt64(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        #expect(codes.contains(own))
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
