import Testing

/// The scenarios requested of Kith, word for word.
@Suite(.timeLimit(.minutes(2)))
struct LocationTrackingTests {
    @Test(arguments: Scenario.read(usersTracking))
    func `Users real-time tracking`(_ scenario: Scenario) async throws {
        try await Story.play(scenario)
    }

    @Test(arguments: Scenario.read(routesTracking))
    func `Users routes tracking`(_ scenario: Scenario) async throws {
        try await Story.play(scenario)
    }

    @Test(arguments: Scenario.read(emergencies))
    func `Emergencies`(_ scenario: Scenario) async throws {
        try await Story.play(scenario)
    }

    @Test func `Every scenario is read`() {
        #expect(Scenario.read(usersTracking).count == 3)
        #expect(Scenario.read(routesTracking).count == 6)
        #expect(Scenario.read(emergencies).count == 4)
    }
}

private let usersTracking = """
    Feature: Users real-time tracking

      Background:
        Given I am a logged user
        * with a registered device
        And I am in a group with other users

      Scenario: User can track other users in their groups in real-time
        When I access my group tracking information
        Then I should see the real-time location of online group members
        And the last known location of offline group members

      Scenario: User is able to share their location with other group members
        When I start sharing my location
        Then my last known location should be updated
        And my state should be `Active`

      Scenario: User can stop sharing their location with other group members
        When I stop sharing my location with that group
        Then the group's members should not see my location anymore
        * my state should be updated to `Inactive`
        But my last known location should still be available
    """

private let routesTracking = """
    Feature: Users routes tracking

      Background:
        Given I am a logged user
        * with a registered device
        And I am in a group with other users

      Scenario: User can activate a route that is recorded and visible to group members
        When I activate the routing mode indicating a destination and the ETA
        Then my state is updated to `Routing`
        * my group's members receive a notification indicating I've started a routing
        And my group's members can see the route I've been taken since activating routing mode

      Scenario Outline: A route can be stopped
        Given I'm in routing mode
        When <event>
        Then the routing is stopped
        * the route discarded
        * my state is updated to `Active`
        And my group's members receive a notification indicating <event>

        Examples:
          | event |
          | I have arrived at the destination |
          | I have stopped the routing        |

      Scenario Outline: Route notifications
        Given I'm in routing mode
        When <event>
        Then my group's members receive a notification indicating <event>

        Examples:
          | event |
          | I have gone offline                                |
          | I have not arrived by the estimated time           |
          | I have been stuck in the same position for a while |
    """

/// The user stories of the SOS, in the same words.
private let emergencies = """
    Feature: Emergencies

      Background:
        Given I am a logged user
        * with a registered device
        And I am in a group with other users

      Scenario: An SOS is sent although the location is not shared
        When I trigger an SOS alert with my location
        Then my state is updated to `Sos`
        * my group's members receive a notification indicating I need help
        * the notification tells where I am
        And my group's members can see the route I've been taken since triggering the SOS

      Scenario: An SOS during a journey
        Given I'm in routing mode
        When I trigger an SOS alert
        Then my state is updated to `Sos`
        * my group's members receive a notification indicating I need help
        And my group's members can see the route I've been taken since activating routing mode

      Scenario: An SOS can be stopped
        Given I have triggered an SOS alert
        * my group's members can still see where I have been
        When I stop the SOS
        Then my state is updated to `Active`
        * my group's members receive a notification indicating I am no longer in danger
        And my group's members can still see where I have been

      Scenario: A member who falls silent during an SOS is missed
        Given I have triggered an SOS alert
        When I have gone offline
        Then my group's members receive a notification indicating I have gone offline
        When I am back
        Then my group's members receive a notification indicating I am back
    """
