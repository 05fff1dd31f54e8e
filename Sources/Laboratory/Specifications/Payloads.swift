internal import Contract
internal import Tracking

/// The payloads that have a name in the reference, in its notation: a test compares them.
public enum Payloads {
    /// In the order of the reference.
    public static let notations: KeyValuePairs<String, String> = [
        "MemberState":
            "{user,name,state,online,leftAt?,warnings,fix,journey?,cause?,assistedAt?,responses?,phone?,avatar?,precision?,until?,since,version}",
        "Alert":
            "{id,kind,group,user?,name?,at,fix?,fixAge?,journey?,journeyWaits?,clockWrong?,number?,text,acknowledgedBy,responses?,repetition?}",
        "ChatMessage": "{id,group,kind,from?,name?,at,text?}",
        "Notice": "{id,kind,at,…}",
        "Channel":
            "{channel,kind,label,news:[…],addedAt,confirmed,workedAt?,failedAt?,failure?,quiet?}",
        "Place":
            "{place,name,kind?,latitude,longitude,description?,address?,openingHours?,phone?,website?,timeZone}",
        "Reminder": "{reminder,place,placeName,text,at,timeZone,rrule?,when,radius?,next?,toldAt?}",
        "Geofence": "{geofence,name,kind,latitude,longitude,radius,group?}",
        "GeofenceRule":
            "{rule,when,by?,days?,from?,to?,timeZone?,once,geofence,madeBy,madeByName,user?,group?,tell,consents,confirm?}",
        "SharedView": "{name,what,until,fix?,journey?,ended?}",
        "Run":
            "{run,name,organiser,place:{name,latitude,longitude},status,startsAt,enrolmentClosesAt,endsAt,maxParticipants?,enrolled,rankedBy,distance,laps,checkpoints,course}",
        "RunnerState":
            "{rank?,bib,name?,status,distance?,startedAt?,finishedAt?,time?,ownTime?,gunTime?,at?,pace?,missed?,latitude?,longitude?,heartRate?}",
        "Incident":
            "{id,status,user:{user,name},openedAt,reason,score,reasons,missing,callback?,fix,attempts,events?,area,number,drill?,cap}",
        "Rejection": "{topic,problem,taken?,seq?,again?}",
        "Problem": "{type,title,status,detail,errors?:[{field,reason}]}",
        "Passkey": "{passkey,label,synced,addedAt,usedAt?}",
    ]

    static let names = Set(notations.map(\.key) + ["Fix", "Vitals"])

    /// The schemas of all of them, for `components`.
    static var schemas: YAML {
        var members = [
            YAML.Member(key: "Fix", value: fix), YAML.Member(key: "Vitals", value: vitals),
        ]
        for (name, notation) in notations {
            guard let notation = Notation(notation) else {
                preconditionFailure("the notation of \(name) cannot be read")
            }
            members.append(
                YAML.Member(key: name, value: notation.schema { types[$0.joined(separator: "/")] }))
        }
        return .map(members)
    }

    /// The types of members that mean the same everywhere.
    private static let types: [String: YAML] = {
        let text: YAML = ["type": "string"]
        let flag: YAML = ["type": "boolean"]
        let number: YAML = ["type": "number"]
        var types: [String: YAML] = [
            "online": flag, "synced": flag, "confirmed": flag, "once": flag, "journeyWaits": flag,
            "clockWrong": flag, "taken": flag,
            "version": ["type": "integer"], "repetition": ["type": "integer"],
            "fixAge": ["type": "integer"], "laps": ["type": "integer"],
            "enrolled": ["type": "integer"], "maxParticipants": ["type": "integer"],
            "radius": number, "place/latitude": number, "place/longitude": number,
            "latitude": number, "longitude": number,
            "fix": ["anyOf": [.reference("Fix"), ["type": "null"]]],
            "type": text, "title": text, "status": ["type": ["string", "integer"]],
            "detail": text, "warnings": ["type": "array", "items": ["type": "string"]],
            "acknowledgedBy": ["type": "array", "items": ["type": "string"]],
            "problem": .reference("Problem"),
        ]
        for time in ["at", "since", "addedAt", "usedAt", "openedAt", "assistedAt", "workedAt"] {
            types[time] = .timeGiven
        }
        for name in ["user", "group", "name", "kind", "text", "state", "id", "cause", "precision"] {
            types[name] = text
        }
        return types
    }()

    /// With the bounds that the position reader enforces.
    private static var fix: YAML {
        let limits: KeyValuePairs<String, (ClosedRange<Double>)> = [
            "latitude": -90...90, "longitude": -180...180, "heading": 0...360, "battery": 0...100,
        ]
        var properties = limits.map { name, range in
            YAML.Member(
                key: name,
                value: [
                    "type": "number", "minimum": .number(range.lowerBound),
                    "maximum": .number(range.upperBound),
                ])
        }
        for name in ["accuracy", "altitude", "altitudeAccuracy", "speed"] {
            properties.append(YAML.Member(key: name, value: ["type": "number"]))
        }
        properties.append(YAML.Member(key: "seq", value: ["type": "integer", "minimum": 0]))
        properties.append(YAML.Member(key: "timestamp", value: .time))
        properties.append(YAML.Member(key: "receivedAt", value: .timeGiven))
        return [
            "type": "object", "properties": .map(properties),
            "required": ["latitude", "longitude", "timestamp"],
        ]
    }

    private static var vitals: YAML {
        var properties = VitalSigns.Quantity.allCases.map { quantity in
            YAML.Member(
                key: quantity.rawValue,
                value: [
                    "type": "number", "minimum": .number(quantity.range.lowerBound),
                    "maximum": .number(quantity.range.upperBound),
                ])
        }
        properties.append(
            YAML.Member(
                key: "consciousness",
                value: [
                    "enum": .list(VitalSigns.Consciousness.allCases.map { .text($0.rawValue) })
                ]))
        properties.append(
            YAML.Member(
                key: "activity",
                value: ["enum": .list(VitalSigns.Activity.allCases.map { .text($0.rawValue) })]))
        properties.append(YAML.Member(key: "seq", value: ["type": "integer", "minimum": 0]))
        properties.append(YAML.Member(key: "timestamp", value: .time))
        properties.append(YAML.Member(key: "receivedAt", value: .timeGiven))
        return [
            "description": "with at least one value; Open mHealth data points are also accepted",
            "type": "object", "properties": .map(properties),
        ]
    }
}
