internal import Tracking

extension Area {
    /// Measurements of wearables, the consent to store them, and the health profile.
    static let vitals = Area(
        "Vitals",
        methods: [
            Method(
                "vitals.consent", .changes, [], against: [],
                Form(
                    Form("version", .text, "of the privacy statement, if there is one").ifPresent
                ) { VitalsCommand.consent(version: $0) },
                result: VitalsResult.consent.schema,
                gives: "vital signs and a health profile may be stored"),
            Method(
                "vitals.withdraw", .changes, [], against: [], Form { VitalsCommand.withdraw },
                gives: "`{}`: nothing more is stored, and what was stored is deleted"),
            Method(
                "health.profile", .changes, [.password, .secretAnswer], against: [],
                HealthProfile.Change.form.map { VitalsCommand.profile($0) },
                result: VitalsResult.profile.schema,
                gives: "the current profile: omitted members stay, `null` deletes; with "
                    + "`acceptPrivacyStatement` also what `vitals.consent` does"),
            Method(
                "vitals.list", .reads, .secretAnswer, VitalsCommand.query,
                gives: "`{vitals,next,consent?}`: the newest first, each with its `device`, and "
                    + "fewer than `limit` where they are long; `next` is the `before` of the next "
                    + "page, `null` at the end"),
        ],
        topics: [
            TopicRow(
                .vitals, "{root}/users/{user}/devices/{device}/vitals", from: [.thatDevice],
                to: [.thatDevice, .bridge], heardIn: .vitals, isSealed: true,
                "Vitals, or an array of at most 1000")
        ],
        notices: [.numberClaimed, .vitalsEnded],
        exports: [
            ExportList("health-profile", "your health profile"),
            ExportList("vitals-consent", "when you agreed to have your vital signs stored"),
            ExportList("vitals", in: "vitals", isLong: true, "your vital signs"),
        ],
        payloads: [VitalSigns.row])
}

extension Topic {
    /// The topic of a device's measurements.
    public static func vitals(_ user: Name, device: Name) -> Topic {
        .listed(.vitals, TopicPattern.Bindings(user: user, device: device))
    }
}

extension Topic.ListedKind {
    public static let vitals = Topic.ListedKind("vitals")
}
