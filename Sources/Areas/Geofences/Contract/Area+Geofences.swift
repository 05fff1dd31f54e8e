internal import Tracking

extension Area {
    /// Places of people and groups, and notices about people who arrive, leave or are missing.
    static let geofences = Area(
        "Geofences",
        methods: [
            Method(
                "geofence.create", .makes, [], against: [.changes, .answers],
                Form(OwnPlaceDetails.whole, Form.group.ifPresent) {
                    GeofenceCommand.create($0, group: $1)
                },
                result: OwnPlace.result.schema, gives: "mine or the group's"),
            Method(
                "geofence.update", .changes, [], against: [.changes, .answers],
                Form(Form("geofence", .uuid), OwnPlaceDetails.part) {
                    GeofenceCommand.update($0, $1)
                },
                result: OwnPlace.result.schema,
                gives: "if its position or size has changed, "
                    + "everyone watched there is asked again. A place with rules of "
                    + "others can be changed and deleted only by its maker, and they confirm"),
            Method(
                "geofence.delete", .changes, [], against: [],
                Form(Form("geofence", .uuid)) { GeofenceCommand.delete($0) },
                gives: "`{}`: it is deleted with its rules"),
            Method(
                "geofence.list", .reads, .demo,
                Form(Form("after", .uuid).ifPresent) { GeofenceCommand.list(after: $0) },
                result: OwnPlace.list.schema,
                gives: "mine and those of my groups",
                looksAt: "50 of each group and 50 of yours"),
            Method(
                "geofence.rule.add", .makes, [], against: [.changes, .answers],
                Form(Form("geofence", .uuid), GeofenceRuleDetails.form) {
                    GeofenceCommand.addRule($0, $1)
                },
                result: GeofenceRuleMessage.result.schema,
                gives: "the person is asked first",
                "the same: for everyone in the group who agrees",
                "the same: for a person who is not there at `by`",
                "the same: for everyone in the group who agrees and is not there at `by`"),
            Method(
                "geofence.rule.list", .reads, .demo,
                Form(Form("after", .uuid).ifPresent) { GeofenceCommand.listRules(after: $0) },
                result: GeofenceRuleMessage.list.schema,
                gives: "those that I made, that are about me, or that notify me",
                looksAt: "100 of each group and 100 of yours"),
            Method(
                "geofence.rule.answer", .changes, [], against: [.changes],
                Form(
                    Form("rule", .uuid),
                    Form(
                        "agree", .boolean,
                        "whether it may notify others about me; for my own rule with "
                            + "`confirm`: whether I confirm the place as it is now")
                ) { GeofenceCommand.answer($0, agrees: $1) },
                gives: "`{}`: the rule's maker is notified; my own rule ends if I do not "
                    + "confirm the place"),
            Method(
                "geofence.rule.end", .changes, [], against: [],
                Form(Form("rule", .uuid)) { GeofenceCommand.endRule($0) },
                gives: "`{}`: it no longer notifies me, or anyone about me; the maker of "
                    + "a rule ends it for everyone"),
        ],
        notices: [
            .placeArrived, .placeLeft, .placeMissed, .placeMissedByOthers, .placeRuleAsked,
            .placeRuleAgreed, .placeRuleRefused, .placeRuleEnded, .placeChanged,
        ],
        exports: [
            ExportList("geofence", "your places"),
            ExportList("geofence-rule", "your rules at places"),
            ExportList("geofence-consent", "others' rules about you at places, and your answers"),
        ],
        payloads: [OwnPlace.payload.row, GeofenceRuleMessage.payload.row])
}
