internal import JSON

/// The operator's commands about places.
public enum PlaceOperatorCommand: AreaOperatorCommand {
    case `import`([Place])
    case remove([Name])

    static let places = Form.list(
        "places", of: Form(ways: [[]]) { fields, _ in fields.place() }
    ).map { PlaceOperatorCommand.import($0) }
}

extension OperatorCommand {
    /// Part of an import.
    public static func importPlaces(_ places: [Place]) -> OperatorCommand {
        .init("place.import") { json in
            json.key("places")
            json.array(places) { json, place in
                json.object { json in
                    json.members(Place.payload, place)
                    json.member("source", place.source.text)
                }
            }
        }
    }

    public static func removePlaces(_ ids: [Name]) -> OperatorCommand {
        .init("place.remove") { json in
            json.key("places")
            json.array(ids) { $0.string($1.text) }
        }
    }
}
