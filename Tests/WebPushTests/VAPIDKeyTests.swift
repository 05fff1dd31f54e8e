import TestSupport
import Testing
import WebPush

struct VAPIDKeyTests {
    private func subscription(_ endpoint: String) throws -> PushSubscription {
        try BrowserSide(secret: Array(0..<16)).subscription(endpoint)
    }

    @Test func `A push service can verify the signature and its audience`() throws {
        let key = VAPIDKey()
        let header = try key.authorization(
            for: subscription("https://Push.Example:8443/abc"),
            contact: "mailto:operator@kith.example", at: 1_795_380_000)
        let checked = try CheckedAuthorization(header)
        #expect(checked.publicKey == key.publicKey)
        #expect(
            checked.claims
                == .init(
                    aud: "https://push.example:8443", exp: 1_795_380_000 + 43_200,
                    sub: "mailto:operator@kith.example"))
    }

    @Test func `No token is valid for more than a day`() throws {
        let header = try VAPIDKey().authorization(
            for: subscription("https://push.example/"), contact: "https://kith.example",
            at: 1000, validFor: .seconds(1_000_000))
        #expect(try CheckedAuthorization(header).claims.exp == 1000 + 86_400)
    }

    @Test(arguments: [
        "", "operator@kith.example", "mailto:a\"b", "mailto:a\\b", "mailto:a b", "mailto:a\nb",
        "http://kith.example",
    ])
    func `A contact that is not a mailto or https URL is refused`(_ contact: String) throws {
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
    func `A key is read in the formats of other programs and written in them`(_ text: String) throws
    {
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
    func `An invalid key is refused`(_ text: String) {
        #expect(throws: WebPushError.vapidKey) { try VAPIDKey(text) }
    }
}
