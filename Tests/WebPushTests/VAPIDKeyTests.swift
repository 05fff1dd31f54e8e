import Crypto
import Foundation
import Testing
import WebPush

struct VAPIDKeyTests {
    private func subscription(_ endpoint: String) throws -> PushSubscription {
        try BrowserSide(secret: Array(0..<16)).subscription(endpoint)
    }

    /// As a push service checks it (RFC 8292, RFC 7515, RFC 7518).
    @Test func `A push service finds the signature right, and made out to it`() throws {
        let key = VAPIDKey()
        let header = try key.authorization(
            for: subscription("https://Push.Example:8443/abc"),
            contact: "mailto:operator@kith.example", at: 1_795_380_000)
        let match = try #require(
            header.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/))
        let (head, claims, signature, k) = (
            String(match.output.1), String(match.output.2), String(match.output.3),
            String(match.output.4)
        )
        #expect(k == key.publicKey)
        let publicKey = try P256.Signing.PublicKey(x963Representation: bytes(k))
        let signed = Data("\(head).\(claims)".utf8)
        #expect(
            publicKey.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: bytes(signature)), for: signed))
        let header1 = try JSONDecoder().decode([String: String].self, from: Data(bytes(head)))
        #expect(header1 == ["typ": "JWT", "alg": "ES256"])
        let found = try JSONDecoder().decode(Claims.self, from: Data(bytes(claims)))
        #expect(
            found
                == Claims(
                    aud: "https://push.example:8443", exp: 1_795_380_000 + 43_200,
                    sub: "mailto:operator@kith.example"))
    }

    @Test func `No token is valid for more than a day`() throws {
        let header = try VAPIDKey().authorization(
            for: subscription("https://push.example/"), contact: "https://kith.example",
            at: 1000, validFor: .seconds(1_000_000))
        let claims = try #require(header.split(separator: ".").dropFirst().first)
        let found = try JSONDecoder().decode(Claims.self, from: Data(bytes(String(claims))))
        #expect(found.exp == 1000 + 86_400)
    }

    @Test(arguments: [
        "", "operator@kith.example", "mailto:a\"b", "mailto:a\\b", "mailto:a b", "mailto:a\nb",
        "http://kith.example",
    ])
    func `A contact is an address of mail or of the web`(_ contact: String) throws {
        let subscription = try subscription("https://push.example/")
        #expect(throws: WebPushError.contact) {
            try VAPIDKey().authorization(for: subscription, contact: contact, at: 0)
        }
    }

    /// Made by OpenSSL, for this test alone.
    @Test(arguments: [
        """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIDYGESdogZKc/pYCoaj592CY8WPPo2BmSXpKeY/UwcfToAoGCCqGSM49
        AwEHoUQDQgAEXwIpwXs7ngj9gCuUWL38oDIlMzsdXGw8MCHtqoHgUBT9lRsKLkB1
        wjaY3SHydiWZ7inDINuXxpjnn8FqviCfAA==
        -----END EC PRIVATE KEY-----

        """,
        """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNgYRJ2iBkpz+lgKh
        qPn3YJjxY8+jYGZJekp5j9TBx9OhRANCAARfAinBezueCP2AK5RYvfygMiUzOx1c
        bDwwIe2qgeBQFP2VGwouQHXCNpjdIfJ2JZnuKcMg25fGmOefwWq+IJ8A
        -----END PRIVATE KEY-----
        """,
        "NgYRJ2iBkpz-lgKhqPn3YJjxY8-jYGZJekp5j9TBx9M\n",
        "NgYRJ2iBkpz-lgKhqPn3YJjxY8-jYGZJekp5j9TBx9M=",
    ])
    func `A key is read as other programs write it, and written so`(_ text: String) throws {
        let key = try VAPIDKey(text)
        #expect(
            key.publicKey
                == "BF8CKcF7O54I_YArlFi9_KAyJTM7HVxsPDAh7aqB4FAU_ZUbCi5AdcI2mN0h8nYlme4pwyDbl8aY55_"
                + "Bar4gnwA")
        #expect(key.base64URL == "NgYRJ2iBkpz-lgKhqPn3YJjxY8-jYGZJekp5j9TBx9M")
        #expect(try VAPIDKey(key.pem).base64URL == key.base64URL)
    }

    @Test(arguments: [
        "", "AA", "NgYRJ2iBkpz-lgKhqPn3YJjxY8-jYGZJekp5j9TBx9", String(repeating: "A", count: 43),
        "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE", "-----BEGIN PRIVATE KEY-----\nAA",
        "NgYRJ2iBkpz+lgKhqPn3YJjxY8+jYGZJekp5j9TBx9M",
    ])
    func `What is no key is refused`(_ text: String) {
        #expect(throws: WebPushError.vapidKey) { try VAPIDKey(text) }
    }

    private struct Claims: Codable, Equatable {
        var aud: String
        var exp: Int64
        var sub: String
    }
}
