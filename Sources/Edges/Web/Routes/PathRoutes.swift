internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import Tracking

/// `GET /api/groups/{group}/members/{user}/path.gpx` and `….geojson`: a member's path as a file,
/// of any length.
struct PathRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) {
        router.getAndHead("api/groups/:group/members/:user/path.gpx", use: gpx)
        router.getAndHead("api/groups/:group/members/:user/path.geojson", use: geoJSON)
    }

    @Sendable private func gpx(_ request: Request, _ context: WebContext) async throws -> Response {
        let (pages, first, place) = try await begin(request, context)
        return file(of: pages.user, "gpx", "application/gpx+xml", place) { writer in
            var gpx = GPXWriter()
            gpx.begin()
            gpx.beginTrack(first.name)
            var (pages, page): (PathPages, PathPages.Page?) = (pages, first)
            while let points = page?.points {
                for point in points { gpx.point(point.coordinate, point.takenAt) }
                try await writer.write(ByteBuffer(bytes: gpx.takeBytes()))
                page = try await pages.next()
            }
            gpx.endTrack()
            gpx.end()
            try await writer.write(ByteBuffer(bytes: gpx.takeBytes()))
        }
    }

    /// A Feature (RFC 7946), as in ``PathDocument``. It begins with whether it is one line or
    /// several, then all positions, then all times, so a long path is requested three times.
    @Sendable private func geoJSON(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let (start, first, place) = try await begin(request, context)
        guard start.hasMore else {
            return file(of: start.user, "geojson", "application/geo+json", place) { writer in
                try await writer.write(ByteBuffer(bytes: first.document(of: start.user).geoJSON))
            }
        }
        return file(of: start.user, "geojson", "application/geo+json", place) { writer in
            var (count, look) = (0, PathCutter())
            var isCut = false
            try await eachPage(start, first) { points in
                count += points.count
                for point in points where look.add(point).contains(.cut) { isCut = true }
            }
            var positions = PathList(isCut: isCut) { $0.position($1.coordinate) }
            try await writer.write(
                ByteBuffer(string: PathRoutes.beginning(isCut ? "MultiLineString" : "LineString")))
            try await eachPage(start, first, atMost: count) {
                try await writer.write(positions.add($0))
            }
            try await writer.write(positions.end())
            try await writer.write(ByteBuffer(bytes: first.properties(of: start.user)))
            var times = PathList(isCut: isCut) { $0.number($1.takenAt.milliseconds) }
            try await eachPage(start, first, atMost: count) {
                try await writer.write(times.add($0))
            }
            try await writer.write(times.end())
            try await writer.write(ByteBuffer(string: "}}"))
        }
    }

    /// - Parameter count: the number of points found in the first pass; the path may have grown
    ///   since.
    private func eachPage(
        _ start: PathPages, _ first: PathPages.Page, atMost count: Int = .max,
        _ body: (ArraySlice<Path.Point>) async throws -> Void
    ) async throws {
        var (pages, page): (PathPages, PathPages.Page?) = (start, first)
        var left = count
        while left > 0 {
            guard let found = page else {
                if count == .max { return }
                throw Refusal.pathChanged
            }
            // If another path has begun in the meantime, a mixture of both would be wrong.
            guard found.startedAt == first.startedAt else { throw Refusal.pathChanged }
            let points = found.points.prefix(left)
            try await body(points)
            left -= points.count
            page = left > 0 ? try await pages.next() : nil
        }
    }

    /// Any refusal has to be sent before the first byte.
    private func begin(_ request: Request, _ context: WebContext) async throws
        -> (PathPages, PathPages.Page, Places.Place)
    {
        let visitor = try gateway.caller(request)
        let place = try gateway.placeForDownload(of: visitor, request, context)
        guard let group = GroupKey(try context.parameters.require("group")) else {
            throw Problem(.unknownGroup, "There is no such group.")
        }
        guard let user = Name(try context.parameters.require("user")) else {
            throw Problem(.unknownUser, "There is no such user.")
        }
        var pages = PathPages(gateway, visitor, group, user)
        let first = try await pages.next() ?? PathPages.Page()
        return (pages, first, place)
    }

    private func file(
        of user: Name, _ suffix: String, _ type: String, _ place: Places.Place,
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type,
                .contentDisposition: "attachment; filename=\"\(user)-path.\(suffix)\"",
            ],
            body: .init { writer in
                defer { withExtendedLifetime(place) {} }
                try await write(&writer)
                try await writer.finish(nil)
            })
    }

    private static func beginning(_ type: String) -> String {
        #"{"type":"Feature","geometry":{"type":"\#(type)","coordinates":"#
    }
}

extension Refusal {
    fileprivate static let pathChanged = Refusal(.conflict, "The path has changed in the meantime.")
}

extension PathPages.Page {
    fileprivate func document(of user: Name) -> PathDocument {
        PathDocument(user: user, name: name, mode: mode, startedAt: startedAt, points: points)
    }

    /// The text between the positions and the times.
    fileprivate func properties(of user: Name) -> [UInt8] {
        var json = JSONWriter()
        json.string(name)
        var text = "},\"properties\":{\"user\":\"\(user)\",\"name\":"
        text += String(decoding: json.bytes, as: UTF8.self)
        if let mode, let startedAt {
            text += ",\"mode\":\"\(mode.rawValue)\",\"startedAt\":\"\(startedAt.rfc3339)\""
        }
        return Array((text + ",\"times\":").utf8)
    }
}
