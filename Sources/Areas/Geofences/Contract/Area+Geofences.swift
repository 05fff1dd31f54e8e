internal import Tracking

extension Area {
    /// Places of people and groups, and who is told when somebody arrives, leaves or is not there.
    static let geofences = Area(
        "Geofences",
        methods: [
            Method(
                "geofence.create", .makes, [], against: [.changes, .answers],
                Form(
                    "`{name,latitude,longitude,radius?,kind?,group?}`",
                    gives: "`{geofence}`: a Geofence, mine or the group's; `radius`: 50 to "
                        + "10,000 m, usually 150; `kind`: `home`, `school`, `work` or `other`")
            ) { fields, _ in GeofenceCommand.create(&fields) },
            Method(
                "geofence.update", .changes, [], against: [.changes, .answers],
                Form(
                    "`{geofence,name?,latitude?,longitude?,radius?,kind?}`",
                    gives: "`{geofence}`: a Geofence. If it is elsewhere now, or of another size, "
                        + "everybody who is watched there is asked again. A place with the rules of "
                        + "others is changed and deleted by its maker, and they confirm")
            ) { fields, _ in GeofenceCommand.update(&fields) },
            Method(
                "geofence.delete", .changes, [], against: [],
                Form("`{geofence}`", gives: "`{}`: it is gone, and its rules with it")
            ) { fields, _ in fields.uuid("geofence").map { GeofenceCommand.delete($0) } },
            Method(
                "geofence.list", .reads, .demo,
                Form(
                    "`{after?}`", gives: "`{geofences,next}`: Geofences of mine and of my groups",
                    looksAt: "50 of each group and 50 of yours")
            ) { fields, _ in GeofenceCommand.page(&fields) { .list(after: $0) } },
            Method(
                "geofence.rule.add", .makes, [], against: [.changes, .answers],
                Form(
                    "`{geofence,when,user,tell?,days?,from?,to?,timeZone?,once?}` or "
                        + "`{geofence,when,group,…}`",
                    gives: "`{rule}`: a GeofenceRule, of a person who is asked, or of everybody in "
                        + #"the group who agrees; `when`: `arrives` or `leaves`; `tell`: "#
                        + "`{user}` or `{group}`, if it is not me; `days`: `[\"mo\",…]`, `from` "
                        + "and `to`: `08:15` by the clocks of `timeZone`"),
                Form(
                    #"`{geofence,when:"not-there",by,user,timeZone,tell?,days?,once?}`"#,
                    gives: "the same: told if somebody is not there at `by`")
            ) { fields, _ in GeofenceCommand.addRule(&fields) },
            Method(
                "geofence.rule.list", .reads, .demo,
                Form(
                    "`{after?}`",
                    gives: "`{rules,next}`: GeofenceRules that I made, that are about me, and that "
                        + "tell me something",
                    looksAt: "100 of each group and 100 of yours")
            ) { fields, _ in GeofenceCommand.page(&fields) { .listRules(after: $0) } },
            Method(
                "geofence.rule.answer", .changes, [], against: [.changes],
                Form(
                    "`{rule,agree}`",
                    gives: "`{}`: whether somebody is told about me by that rule; whoever made it "
                        + "learns of it. Of my own rule with `confirm`: whether I know the place as "
                        + "it is now; if not, the rule ends")
            ) { fields, _ in GeofenceCommand.answer(&fields) },
            Method(
                "geofence.rule.end", .changes, [], against: [],
                Form(
                    "`{rule}`",
                    gives: "`{}`: I am told nothing by it, and nobody is told about me; whoever "
                        + "made a rule ends it for everybody")
            ) { fields, _ in fields.uuid("rule").map { GeofenceCommand.endRule($0) } },
        ],
        exports: [
            ExportList("geofence", "your places"),
            ExportList("geofence-rule", "whom you are told about at places"),
            ExportList("geofence-consent", "who is told when you arrive, leave or are not there"),
        ])
}
