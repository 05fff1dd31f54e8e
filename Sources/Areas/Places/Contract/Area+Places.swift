extension Area {
    /// Places of the organisation: their positions and opening hours.
    static let places = Area(
        "Places",
        methods: [
            Method("place.import", .changes, [], operators: PlaceOperatorCommand.places),
            Method(
                "place.remove", .changes, [],
                operators: Form.names("places").map { PlaceOperatorCommand.remove($0) }),
            Method(
                "place.list", .reads, .demo, PlaceQuery.form.map { PlaceCommand.list($0) },
                result: Place.list.schema,
                gives: "by name, or with `near` the nearest first, each "
                    + "with its `distance` in metres. A page ends early, even empty, after a long "
                    + "search without results",
                looksAt: "6000 places a page, with `near` 10,000"),
            Method(
                "place.get", .reads, .demo,
                Form(Form("place", .name)) { PlaceCommand.get($0) },
                result: Place.result.schema),
        ],
        topics: [
            TopicRow(
                .place, "{root}/places/{place}", from: [.bridge], to: [.anyUser, .bridge],
                retained: .compared, "Place, without `state` and `nextChange`")
        ],
        payloads: [Place.payload.row])
}

extension Topic {
    public static func place(_ place: Name) -> Topic { .listed(.place, .init(place: place)) }
}

extension Topic.ListedKind {
    public static let place = Topic.ListedKind("place")
}
