internal import Tracking

extension Area {
    /// What wearables measure, the consent to store it, and what else is known of a person's health.
    static let vitals = Area(
        "Vitals",
        methods: [
            Method(
                "vitals.consent", .changes, [], against: [],
                Form(
                    "`{version?}`",
                    gives: "`{consent:{at,version?}}`: vital signs and a health profile may be "
                        + "stored; `version` is that of the privacy statement, if there is one")
            ) { fields, _ in VitalsCommand.consent(version: fields.string(ifPresent: "version")) },
            Method(
                "vitals.withdraw", .changes, [], against: [],
                Form(
                    "",
                    gives: "`{}`: nothing of it is stored any longer, and what was stored is "
                        + "deleted")
            ) { _, _ in VitalsCommand.withdraw },
            Method(
                "health.profile", .changes, [.password, .secretAnswer], against: [],
                Form(
                    "`{ssn?,gender?,dateOfBirth?,residence?,acceptPrivacyStatement?:true}`",
                    gives: "the same as it is now, and `consent?:{at,version?}`: what is not named "
                        + "stays, `null` deletes; `gender`: `female`, `male`, `other`; with "
                        + "`acceptPrivacyStatement` also what `vitals.consent` does")
            ) { fields, circumstances in
                VitalsCommand.profile(fields.profile(at: circumstances.now))
            },
            Method(
                "vitals.list", .reads, .secretAnswer,
                Form(
                    "`{from?,to?,every?,before?,limit?}`",
                    gives: "`{vitals,next,consent?}`: the newest first, each with its `device`, "
                        + "at most 500 (usually 100) and fewer where they are long, and what a "
                        + "device measures of one kind `every` so many seconds at most; `next` is "
                        + "the `before` of the next page, `null` at the end")
            ) { fields, _ in VitalsCommand.list(&fields) },
        ],
        topics: [
            TopicRow(
                .vitals, "{root}/users/{user}/devices/{device}/vitals", from: [.thatDevice],
                to: [.thatDevice, .bridge], heardIn: .vitals, isSealed: true,
                "Vitals, or an array of at most 1000")
        ],
        exports: [
            ExportList("health-profile", "what you say of yourself"),
            ExportList("vitals-consent", "when you agreed to have your vital signs stored"),
            ExportList("vitals", in: "vitals", isLong: true, "your vital signs"),
        ])
}

extension Topic {
    /// What a device has measured.
    public static func vitals(_ user: Name, device: Name) -> Topic {
        .listed(.vitals, TopicPattern.Bindings(user: user, device: device))
    }
}

extension Topic.ListedKind {
    public static let vitals = Topic.ListedKind("vitals")
}
