internal import Tracking

extension Area {
    /// Places of people and groups, and who is told when somebody arrives, leaves or is not there.
    static let geofences = Area(
        "Geofences",
        methods: [
            Method(
                "geofence.create", .makes, [], against: [.changes, .answers],
                Form(OwnPlaceDetails.whole, Form.group.ifPresent) {
                    GeofenceCommand.create($0, group: $1)
                },
                gives: "`{geofence}`: a Geofence, mine or the group's"),
            Method(
                "geofence.update", .changes, [], against: [.changes, .answers],
                Form(Form("geofence", .uuid), OwnPlaceDetails.part) {
                    GeofenceCommand.update($0, $1)
                },
                gives: "`{geofence}`: a Geofence. If it is elsewhere now, or of another size, "
                    + "everybody who is watched there is asked again. A place with the rules of "
                    + "others is changed and deleted by its maker, and they confirm"),
            Method(
                "geofence.delete", .changes, [], against: [],
                Form(Form("geofence", .uuid)) { GeofenceCommand.delete($0) },
                gives: "`{}`: it is gone, and its rules with it"),
            Method(
                "geofence.list", .reads, .demo,
                Form(Form("after", .uuid).ifPresent) { GeofenceCommand.list(after: $0) },
                gives: "`{geofences,next}`: Geofences of mine and of my groups",
                looksAt: "50 of each group and 50 of yours"),
            Method(
                "geofence.rule.add", .makes, [], against: [.changes, .answers],
                Form(Form("geofence", .uuid), GeofenceRuleDetails.form) {
                    GeofenceCommand.addRule($0, $1)
                },
                gives: "`{rule}`: a GeofenceRule; the person is asked first",
                "the same: for everybody in the group who agrees",
                "the same: for a person who is not there at `by`",
                "the same: for everybody in the group who agrees and is not there at `by`"),
            Method(
                "geofence.rule.list", .reads, .demo,
                Form(Form("after", .uuid).ifPresent) { GeofenceCommand.listRules(after: $0) },
                gives: "`{rules,next}`: GeofenceRules that I made, that are about me, and that "
                    + "tell me something",
                looksAt: "100 of each group and 100 of yours"),
            Method(
                "geofence.rule.answer", .changes, [], against: [.changes],
                Form(
                    Form("rule", .uuid),
                    Form(
                        "agree", .boolean,
                        "whether it may notify others about me, or of my own rule with "
                            + "`confirm`, whether I know the place as it is now")
                ) { GeofenceCommand.answer($0, agrees: $1) },
                gives: "`{}`: the maker of the rule learns of it; my own rule ends if I do not "
                    + "know the place"),
            Method(
                "geofence.rule.end", .changes, [], against: [],
                Form(Form("rule", .uuid)) { GeofenceCommand.endRule($0) },
                gives: "`{}`: it no longer notifies me, or anyone about me; the maker of "
                    + "a rule ends it for everybody"),
        ],
        notices: [
            .placeArrived, .placeLeft, .placeMissed, .placeMissedByOthers, .placeRuleAsked,
            .placeRuleAgreed, .placeRuleRefused, .placeRuleEnded, .placeChanged,
        ],
        exports: [
            ExportList("geofence", "your places"),
            ExportList("geofence-rule", "whom you are told about at places"),
            ExportList("geofence-consent", "who is told when you arrive, leave or are not there"),
        ])
}
