import Contract
import Testing
import Tracking

@testable import FakeGPS

/// One small file of each kind, with easily overlooked details.
struct ReaderTests {
    @Test func `GPX 1 1 gives positions, times, heights and Garmin's speeds`() throws {
        let track = try Track(
            reading: bytes(
                of: """
                    <?xml version="1.0"?>
                    <!-- a comment before the root -->
                    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"
                        xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
                      <metadata><time>2001-01-01T00:00:00Z</time></metadata>
                      <wpt lat="1" lon="1"><time>2001-01-01T00:00:00Z</time></wpt>
                      <rte><rtept lat="2" lon="2"/></rte>
                      <trk><name>&lt;x&gt;</name><trkseg>
                        <trkpt lat="45.5" lon="9.25"><ele> 120.5 </ele>
                          <time>2026-05-01T10:00:00.250Z</time><hdop>1.2</hdop>
                          <extensions><x:TrackPointExtension><x:hr>120</x:hr><x:speed>2.5</x:speed>
                          <x:course>90</x:course></x:TrackPointExtension></extensions></trkpt>
                      </trkseg><trkseg>
                        <trkpt lat="-45.5" lon="-9.25"><time>2026-05-01T12:00:01+02:00</time></trkpt>
                      </trkseg></trk>
                    </gpx>
                    """))
        #expect(
            track.samples == [
                sample(
                    0, 45.5, 9.25, altitude: 120.5, accuracy: 6, speed: 2.5, heading: 90),
                sample(0.75, -45.5, -9.25),
            ])
    }

    @Test func `GPX 1 0 has speed and course, and times that may lack a zone`() throws {
        let track = try Track(
            reading: bytes(
                of: """
                    <gpx version="1.0"><trk><trkseg>
                    <trkpt lat="1" lon="2"><time>2026-05-01T10:00:00</time><course>360</course>
                    <speed>3</speed></trkpt>
                    <trkpt lat="1" lon="2.001"><time>2026-05-01T10:00:05</time><speed>-1</speed></trkpt>
                    </trkseg></trk></gpx>
                    """))
        #expect(
            track.samples == [sample(0, 1, 2, speed: 3, heading: 0), sample(5, 1, 2.001)])
    }

    @Test func `A GPX route is followed at the requested pace`() throws {
        let track = try Track(
            reading: bytes(
                of: """
                    <gpx><rte><rtept lat="0" lon="0"/><rtept lat="0" lon="0.01"/></rte></gpx>
                    """), pace: 2)
        #expect(track.samples.map(\.offset) == [.zero, .milliseconds(556_597)])
    }

    @Test func `TCX gives its positions and skips points without one`() throws {
        let track = try Track(
            reading: bytes(
                of: """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
                    <Activities><Activity Sport="Running"><Lap StartTime="2026-05-01T10:00:00Z"><Track>
                    <Trackpoint><Time>2026-05-01T10:00:00Z</Time><HeartRateBpm><Value>99</Value></HeartRateBpm>
                    </Trackpoint>
                    <Trackpoint><Time>2026-05-01T10:00:02Z</Time>
                      <Position><LatitudeDegrees>3.5</LatitudeDegrees><LongitudeDegrees>4</LongitudeDegrees>
                      </Position><AltitudeMeters>7</AltitudeMeters>
                      <Extensions><ns3:TPX><ns3:Speed>2.75</ns3:Speed></ns3:TPX></Extensions></Trackpoint>
                    </Track></Lap></Activity></Activities></TrainingCenterDatabase>
                    """))
        #expect(track.samples == [sample(0, 3.5, 4, altitude: 7, speed: 2.75)])
    }

    @Test(arguments: [
        #"{"type":"LineString","coordinates":[[9,45,100],[9.01,45]]}"#,
        #"{"type":"MultiLineString","coordinates":[[[9,45,100]],[[9.01,45]]]}"#,
        #"""
        {"type":"FeatureCollection","features":[
          {"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,2]}},
          {"type":"Feature","properties":{},"geometry":null},
          {"type":"Feature","properties":{"name":"x"},"geometry":{"type":"GeometryCollection",
            "geometries":[{"type":"LineString","coordinates":[[9,45,100],[9.01,45]]}]}}]}
        """#,
    ])
    func `GeoJSON gives the positions of its lines at any depth`(text: String) throws {
        let track = try Track(reading: bytes(of: text), pace: 1)
        #expect(track.samples.map(\.coordinate) == [place(45, 9), place(45, 9.01)])
        #expect(track.samples.map(\.altitude) == [100, nil])
    }

    @Test(arguments: [
        #""coordTimes":["2026-05-01T10:00:00Z",null,"2026-05-01T10:00:10Z"]"#,
        #""times":[1000,null,11000]"#,
        #""coordinateProperties":{"times":["2026-05-01T10:00:00Z",null,"2026-05-01T10:00:10Z"]}"#,
    ])
    func `GeoJSON may name the times of its positions`(member: String) throws {
        let track = try Track(
            reading: bytes(
                of: """
                    {"type":"Feature","properties":{\(member)},"geometry":{"type":"LineString",
                    "coordinates":[[9,45],[9.001,45],[9.002,45]]}}
                    """))
        #expect(track.samples.map(\.offset) == [.zero, .seconds(5), .seconds(10)])
    }

    @Test func `NMEA sentences of one moment are joined, and broken ones are skipped`() throws {
        let track = try Track(
            reading: bytes(
                of: nmea(
                    """
                    GPGGA,235958.00,4530.0000,N,00915.0000,E,1,08,1.5,120.0,M,48.0,M,,
                    GNRMC,235958.00,A,4530.0000,N,00915.0000,E,19.4384,90.0,300426,,,A
                    GLRMC,235959.00,V,,,,,,,300426,,,N
                    GPGSV,1,1,00
                    GNGGA,000001.50,4531.2000,S,00915.0000,W,1,08,,,M,,M,,
                    """) + "$GPRMC,000002.00,A,4530.0000,N,00915.0000,E,0,0,010526,,,A*00\r\n"))
        #expect(
            track.samples.map(\.coordinate) == [place(45.5, 9.25), place(-45.52, -9.25)])
        #expect(track.samples.map(\.offset) == [.zero, .milliseconds(3500)])
        #expect(track.samples.map(\.altitude) == [120, nil])
        #expect(track.samples.map(\.accuracy) == [7.5, nil])
        #expect(abs((track.samples[0].speed ?? 0) - 10) < 0.0001)
        #expect(track.samples[0].heading == 90)
    }

    @Test func `NMEA without any date continues past midnight`() throws {
        let track = try Track(
            reading: bytes(
                of: nmea(
                    """
                    GPGGA,235959,4530.00,N,00915.00,E,1,08,1,0,M,0,M,,
                    GPGGA,000004,4530.00,N,00915.00,E,1,08,1,0,M,0,M,,
                    """)))
        #expect(track.samples.map(\.offset) == [.zero, .seconds(5)])
    }

    @Test func `NMEA takes its first date from later sentences`() throws {
        let track = try Track(
            reading: bytes(
                of: nmea(
                    """
                    GPGGA,235959,4530.00,N,00915.00,E,1,08,1,0,M,0,M,,
                    GPRMC,000004,A,4530.00,N,00915.00,E,0,0,010126,,,A
                    """)))
        #expect(track.samples.map(\.offset) == [.zero, .seconds(5)])
    }
}
