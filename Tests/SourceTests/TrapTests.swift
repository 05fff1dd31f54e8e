import Testing

/// Standard library declarations that end the process for some arguments, and have a form that does
/// not.
struct TrapTests {
    private func expectNone(
        _ pattern: Regex<Substring>, in isMeant: (Use) -> Bool = { _ in true }, _ cure: String
    ) throws {
        let uses = try IndexStore.uses(of: pattern).filter(isMeant)
        let places = uses.map { "Sources/\($0.file):\($0.line)" }
        #expect(places == [], "\(cure):\n\(places.joined(separator: "\n"))")
    }

    @Test func `Floating-point numbers become integers by init(clamping:) or init(exactly:)`()
        throws
    {
        // Int.init(Double) is s:SiySiSdcfc, Int64.init(Double) s:s5Int64VyABSdcfc.
        try expectNone(
            /s:(?:Si|Su|s[56]U?Int(?:8|16|32|64)V|s4Int8V|s5UInt8V)y\S*S[df]cfc/,
            "Use init(clamping:) of Numbers, or init(exactly:)")
        // The generic ones, for Float16 or a type parameter.
        try expectNone(
            /s:\S*FixedWidthInteger\S*yxqd__cSBRd__lufc/, "Use init(clamping:), or init(exactly:)")
    }

    @Test func `Floating-point numbers become durations by seconds(clamping:)`() throws {
        try expectNone(
            /s:s8DurationV\d+(?:seconds|milliseconds|microseconds|nanoseconds)yABSdFZ/,
            "Use seconds(clamping:) of Numbers")
    }

    @Test func `Dictionaries state how duplicate keys are merged`() throws {
        try expectNone(
            /s:SD20uniqueKeysWithValues\S*/, "Use init(_:uniquingKeysWith:)")
    }

    /// Readers throw instead: what each caller passes cannot be proved.
    @Test func `Readers of foreign bytes have no preconditions`() throws {
        let readers: [Regex<Substring>] = [
            /Formats\/(?:JSON|XML|WebAuthn)\/.*/, /Laboratory\/FakeGPS\/Readers\/.*/,
            /Edges\/Web\/Courses\/.*/, /Service\/Contract\/(?:Fields|Payloads)\/.*/,
            /.*\/Contract\/.*(?:Command|Message|Request|\+JSON)\.swift/,
        ]
        try expectNone(
            /s:s\d+(?:precondition|preconditionFailure|fatalError|assert|assertionFailure)_\S*/,
            in: { use in readers.contains { use.file.wholeMatch(of: $0) != nil } },
            "Throw, or answer with what is right for nonsense")
    }

    @Test func `The index distinguishes overloads and covers most of the sources`() throws {
        let uses = try IndexStore.all()
        #expect(Set(uses.map(\.file)).count > 500)
        // Core/Limits/Backoff.swift is sure to have it: min of two durations.
        #expect(uses.contains { $0.file == "Core/Limits/Backoff.swift" })
        #expect(try !IndexStore.uses(of: /s:SdySdSicfc/).isEmpty, "Double.init(Int)")
    }
}
