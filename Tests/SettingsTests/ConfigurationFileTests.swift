import Testing

@testable import Settings

struct ConfigurationFileTests {
    private static let known: Set<String> = [
        "retention.fixes", "retention.chat", "web.port", "web.tiles", "web.phoneTLS",
        "tracking.offlineAfter", "mail.host", "login.ldap.url",
    ]

    private func findings(_ text: String) throws -> [String] {
        try ConfigurationFile(path: "kith.yaml", text: text)
            .findings(known: ConfigurationFileTests.known).map(\.description)
    }

    @Test func `Every unknown key is reported with its line and a suggestion`() throws {
        let text = """
            # a comment
            retension:
              fixes: 30
            web:
              prot: 80
              tiles: x
              colour: red
            tracking:
              offLineAfter: 90
            fixes: 3
            """
        #expect(
            try findings(text) == [
                "line 3 of kith.yaml: retension.fixes is unknown. Did you mean retention.fixes?",
                "line 5 of kith.yaml: web.prot is unknown. Did you mean web.port?",
                "line 7 of kith.yaml: web.colour is unknown.",
                "line 9 of kith.yaml: tracking.offLineAfter is unknown. Did you mean "
                    + "tracking.offlineAfter?",
                "line 10 of kith.yaml: fixes is unknown. Did you mean retention.fixes?",
            ])
    }

    @Test func `A heading with a value, an empty one and a list are reported`() throws {
        #expect(
            try findings("web: 80\nretention:\nmail:\n  host: [a, b]\n") == [
                "line 1 of kith.yaml: web has keys below it, such as web.phoneTLS, and no value of "
                    + "its own.",
                "line 2 of kith.yaml: retention is empty: write its keys below it, or remove it.",
                "line 4 of kith.yaml: mail.host must be a single value.",
            ])
    }

    @Test(arguments: ["", "# nothing\n", "---\n~\n"])
    func `A file without keys is valid`(_ text: String) throws {
        let file = try ConfigurationFile(path: "kith.yaml", text: text)
        #expect(file.isEmpty && file.findings(known: []).isEmpty)
    }

    @Test(arguments: [
        ("- [", "is not valid YAML: line "), ("- a", "is not a mapping of keys"),
        ("a", "is not a mapping"),
        ("a: 1\nb: 2\na: 3\n", "these keys are there twice: a"),
    ])
    func `An invalid configuration is refused`(_ text: String, _ words: String) {
        #expect {
            try ConfigurationFile(path: "kith.yaml", text: text)
        } throws: { error in
            "\(error)".contains(words)
        }
    }

    @Test func `An invalid value is reported with its line or variable`() throws {
        let file = try ConfigurationFile(path: "k", text: "web:\n  port: x\n  phoneTLS: 3\n")
        let environment = ["KITH_WEB_PHONE_T_L_S": "3"]
        let findings = [
            Finding("web.phoneTLS must be true or false.", in: file, environment: environment),
            Finding("web.port must be a number.", in: file, environment: environment),
            Finding("mail.from is missing.", in: file, environment: environment),
            Finding("web.port must be a number.", in: file, environment: environment),
        ]
        #expect(
            Finding.list(findings) == """

                  line 2 of k: web.port must be a number.
                  KITH_WEB_PHONE_T_L_S: web.phoneTLS must be true or false.
                  mail.from is missing.
                """)
        #expect(Finding.list([findings[1]]) == " line 2 of k: web.port must be a number.")
    }

    @Test(arguments: [
        ("fixes", "fixes", 0), ("fix", "fixes", 2), ("prot", "port", 1), ("", "abc", 3),
        ("abcd", "acbd", 1), ("kitten", "sitting", 3),
    ])
    func `The edit distance counts letters`(_ one: String, _ other: String, _ distance: Int) {
        #expect(KeySuggestion.distance(Array(one), Array(other)) == distance)
        #expect(KeySuggestion.distance(Array(other), Array(one)) == distance)
    }

    @Test func `Changes between two files are reported by key`() throws {
        let old = try ConfigurationFile(path: "a", text: "web:\n  port: 1\nmail:\n  port: 25\n")
        let new = try ConfigurationFile(
            path: "a", text: "# Other lines.\n\nmail: {port: 25, host: b}\nweb:\n  port: 2\n")
        #expect(ConfigurationFile.changes(from: old, to: new) == ["mail.host", "web.port"])
        #expect(ConfigurationFile.changes(from: new, to: new) == [])
        #expect(ConfigurationFile.changes(from: nil, to: old) == ["mail.port", "web.port"])
        #expect(ConfigurationFile.changes(from: old, to: nil) == ["mail.port", "web.port"])
    }
}
