internal import Contract
internal import Hummingbird
internal import JSON
internal import Numbers
internal import Tracking
internal import XML

/// `POST /api/course`: a GPX file; the answer is its course as a GeoJSON LineString, with at most
/// the number of positions that a run may have. Nothing is stored.
struct CourseRoutes: Sendable {
    let gateway: RequestGateway
    private let places: Places
    private let uploads: Places
    private let computations: Computations

    init(gateway: RequestGateway) {
        self.gateway = gateway
        places = Places(gateway.settings.limits.courses)
        uploads = Places(gateway.settings.limits.uploads)
        computations = Computations(limit: gateway.settings.limits.computing)
    }

    func add(to router: Router<WebContext>) { router.post("api/course", use: course) }

    @Sendable private func course(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let visitor = try gateway.caller(request, bringing: "application/gpx+xml")
        guard !gateway.isDemo(visitor) else { throw DemoRules.noPositions }
        // This much is read and computed only for visitors admitted by the broker.
        try await gateway.connections.connect(visitor)
        let (party, address) = (Party(visitor), gateway.address(of: request, context))
        // Files are larger than all other requests. Bytes not yet received take no room.
        let room = try uploads.take(party, at: address, 0)
        defer { withExtendedLifetime(room) {} }
        let bytes = try await gateway.body(of: request, atMost: GPXCourse.maximumSize, room)
        let place = try places.take(party, at: address)
        defer { withExtendedLifetime(place) {} }
        return .json(
            try await computations.run(for: party) { deadline in
                CourseRoutes.lineString(try CourseRoutes.points(of: bytes, until: deadline))
            })
    }

    /// With elevations if all points have one.
    static func lineString(_ points: [GPXCourse.Point]) -> [UInt8] {
        let hasElevations = points.allSatisfy { $0.elevation != nil }
        return JSONWriter.object { json in
            json.key("type")
            json.string("LineString")
            json.key("coordinates")
            json.array(points) { json, point in
                json.array { json in
                    json.degrees(e7: point.coordinate.longitudeE7)
                    json.degrees(e7: point.coordinate.latitudeE7)
                    if hasElevations, let elevation = point.elevation {
                        json.number(Int(clamping: elevation.rounded()))
                    }
                }
            }
        }
    }

    /// - Throws: `malformed`; `too-large`, also if it takes too long.
    static func points(of bytes: [UInt8], until deadline: Deadline) throws(Problem)
        -> [GPXCourse.Point]
    {
        let found: [GPXCourse.Point]
        do throws(XMLError<GPXCourse.Failure>) {
            found = try XMLReader.read(bytes, GPXCourse(until: deadline)).points
        } catch {
            switch error {
            case .malformed(let reason, let line):
                throw Problem(.malformed, "The file cannot be read: line \(line): \(reason).")
            case .refused(.tooManyPoints, _):
                let maximum = GPXCourse.maximumPoints
                throw Problem(.tooLarge, "A course may have at most \(maximum) points.")
            case .refused(.overtime, _): throw tooLong
            }
        }
        guard found.count > 1 else {
            throw Problem(.malformed, "There is no track and no route in the file.")
        }
        do throws(Overtime) {
            return try GPXCourse.simplified(found, atMost: Run.maximumPoints, until: deadline)
        } catch {
            throw tooLong
        }
    }

    private static let tooLong = Problem(.tooLarge, "The course takes too long to read.")
}
