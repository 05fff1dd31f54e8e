extension WebRoute {
    /// All rows, in the order of the reference.
    public static let all: [WebRoute] = requests + files + sessions + system + pages

    private static let read = ["GET", "HEAD"]
    private static let json = "application/json"

    private static let requests = [
        WebRoute(
            "/api/{method}", ["POST"], "a request of the contract", for: .either,
            [.path("method", "a method of the contract")], isDescribed: false),
        WebRoute(
            "/api/fix", ["POST"], "positions", for: .loggedIn, body: "Fix",
            answers: [
                Answer(200, json, "with `seq`: what is on disk, and what was rejected"),
                Answer(202, json, "without `seq`: the broker has them"),
            ]),
        WebRoute(
            "/api/events", read, "server-sent events", for: .either,
            [
                Parameter(
                    name: "topic", place: .query, isRequired: true, isList: true,
                    words: "a topic or a filter; at most 700"),
                Parameter(
                    name: "Last-Event-ID", place: .header, isRequired: false, isList: false,
                    words: "the last event that was received"),
            ], answers: [Answer(200, "text/event-stream", "until the client disconnects")]),
        WebRoute(
            "/api/course", ["POST"], "the course in a GPX file, as a LineString of GeoJSON",
            for: .loggedIn, answers: [Answer(200, json, "the course")]),
    ]

    private static let path = [
        Parameter.path("group", "a group id"), Parameter.path("user", "a member"),
    ]

    private static let files = [
        WebRoute(
            "/api/groups/{group}/members/{user}/path.gpx", read, "a member's path as GPX",
            for: .loggedIn, path, answers: [Answer(200, "application/gpx+xml", "the path")]),
        WebRoute(
            "/api/groups/{group}/members/{user}/path.geojson", read, "a member's path as GeoJSON",
            for: .loggedIn, path, answers: [Answer(200, "application/geo+json", "the path")]),
        WebRoute(
            "/api/samples/{user}", ["GET"], "everything that data.get returns, for services",
            for: .loggedIn, [.path("user", "a user who agrees to it")],
            answers: [Answer(200, "application/x-ndjson", "one sample per line")]),
        WebRoute(
            "/api/avatars/{user}/{digest}", read, "a user's picture", for: .loggedIn,
            [.path("user", "the user"), .path("digest", "of the picture, as in MemberState")],
            answers: [Answer(200, "image/png", "the picture")]),
        WebRoute(
            "/api/export.zip", read, "everything that is stored about the caller", for: .loggedIn,
            answers: [Answer(200, "application/zip", "the files")]),
    ]

    private static let sessions = [
        WebRoute(
            "/session", ["POST"], "logs a browser in", for: .anybody,
            body: "{login,password,device,code?}",
            answers: [Answer(200, json, "who is logged in; the token is in the cookie")]),
        WebRoute(
            "/session", read, "who is logged in", for: .either,
            answers: [Answer(200, json, "the user"), Answer(204, nil, "no one")]),
        WebRoute(
            "/session", ["DELETE"], "logs out", for: .either,
            answers: [Answer(204, nil, "logged out")]),
        WebRoute(
            "/session/passkey", ["POST"], "logs a browser in with a passkey", for: .anybody,
            body: "{credential,device}",
            answers: [Answer(200, json, "who is logged in; the token is in the cookie")]),
        WebRoute(
            "/session/demo", ["POST"], "logs a browser in to watch the demo", for: .anybody,
            answers: [Answer(200, json, "the demo's account")]),
    ]

    private static let system = [
        WebRoute(
            "/config.json", read, "the page's configuration", for: .anybody,
            answers: [Answer(200, json, "the settings")]),
        WebRoute(
            "/healthz", read, "whether the service works", for: .anybody,
            answers: [Answer(200, json, "it does"), Answer(503, json, "it does not, and why")]),
        WebRoute(
            "/metrics", read, "for Prometheus, with the operator's token", for: .loggedIn,
            answers: [Answer(200, "text/plain", "the metrics")]),
        WebRoute(
            "/operator/state", ["GET"], "what the operator's page shows",
            for: .loggedIn,
            answers: [Answer(200, json, "`{status,reason?,version,commit,concerns,…}`")]),
    ]

    private static let pages = [
        WebRoute(
            "/map/{z}/{x}/{y}", read, "a tile of the map", for: .anybody,
            [.path("z", "zoom"), .path("x", "column"), .path("y", "row")], isDescribed: false),
        WebRoute("/", read, "the page", for: .anybody, isDescribed: false),
        WebRoute("/**", read, "the page's files", for: .anybody, isDescribed: false),
    ]

    // MARK: Looking up

    /// The rows of an address; none for a file of the page.
    static func matching(_ path: String) -> [WebRoute] {
        let levels = path.split(separator: "/")
        let matching = all.compactMap { row in row.names(in: levels).map { (row, $0) } }
        // A literal level is more specific than a placeholder.
        let fewest = matching.map(\.1).min()
        return matching.filter { $0.1 == fewest }.map(\.0)
    }

    /// The number of placeholder levels in the path; nil if it is a different path.
    private func names(in levels: [Substring]) -> Int? {
        let pattern = path.split(separator: "/")
        guard pattern.count == levels.count, !pattern.isEmpty, pattern.last != "**" else {
            return nil
        }
        var count = 0
        for (place, level) in zip(pattern, levels) where place != level {
            guard place.hasPrefix("{") else { return nil }
            count += 1
        }
        return count
    }
}
