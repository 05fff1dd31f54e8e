internal import Contract
internal import Hummingbird
internal import JSON
internal import Numbers
internal import Tracking
internal import XML

/// `POST /api/course`: a GPX file; the answer is its course as a LineString of GeoJSON, with so many positions
/// as a run may have. Nothing is kept.
struct CourseRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) { router.post("api/course", use: course) }

    @Sendable private func course(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let visitor = try gateway.caller(request, bringing: "application/gpx+xml")
        guard !gateway.isDemo(visitor) else { throw DemoRules.noPositions }
        // So much is read and computed only for whom the broker lets in.
        try await gateway.connections.connect(visitor)
        let bytes = try await gateway.body(of: request, atMost: GPXCourse.maximumSize)
        return .json(CourseRoutes.lineString(try points(of: bytes)))
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

    private func points(of bytes: [UInt8]) throws(Problem) -> [GPXCourse.Point] {
        let found: [GPXCourse.Point]
        do throws(XMLError<Never>) {
            found = try XMLReader.read(bytes, GPXCourse()).points
        } catch {
            switch error {
            case .malformed(let reason, let line):
                throw Problem(.malformed, "The file cannot be read: line \(line): \(reason).")
            }
        }
        guard found.count > 1 else {
            throw Problem(.malformed, "There is no track and no route in the file.")
        }
        return GPXCourse.simplified(found, atMost: Run.maximumPoints)
    }
}
