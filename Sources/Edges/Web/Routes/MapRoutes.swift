internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import MapTiles
internal import NIOCore

/// `GET /map/{z}/{x}/{y}`: the tiles of the operator's own map. Requested tiles are neither logged
/// nor counted.
struct MapRoutes: Sendable {
    let files: OperatorFiles

    func add(to router: Router<WebContext>) { router.getAndHead("map/:z/:x/:y", use: tile) }

    /// Answers 204 where the map has no tile.
    @Sendable private func tile(_ request: Request, _ context: WebContext) async throws -> Response
    {
        guard let zoom = context.parameters.get("z", as: Int.self),
            let column = context.parameters.get("x", as: Int.self),
            let row = context.parameters.get("y", as: Int.self)
        else { throw Refusal(.notFound, "There is nothing at this address.") }
        guard let map = files.map else {
            throw Refusal(
                .serviceUnavailable, "The map cannot be read at the moment.",
                retryAfter: .seconds(30))
        }
        // The configured address changes with the file, so its content never changes.
        let isVersioned = request.uri.query == map.version
        var headers: HTTPFields = [
            .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache"
        ]
        guard let bytes = try await map.tile(zoom: zoom, column: column, row: row) else {
            return Response(status: .noContent, headers: headers)
        }
        let digest = SHA256.hash(data: bytes).prefix(12)
        let tag = "\"" + digest.map { String($0, radix: 16) }.joined(separator: "-") + "\""
        headers[.eTag] = tag
        headers[.contentType] = map.format.mediaType
        if request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension WebSettings.Tiles {
    /// The tiles of a file on this server.
    init(_ map: TileFile) {
        self.init(
            url: "/map/{z}/{x}/{y}?\(map.version)", attribution: map.attribution,
            maximumZoom: map.zooms.upperBound)
        minimumZoom = map.zooms.lowerBound
        bounds = map.bounds.map { [$0.west, $0.south, $0.east, $0.north] }
    }
}
