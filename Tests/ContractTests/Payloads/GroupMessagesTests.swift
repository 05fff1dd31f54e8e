import Contract
import Testing
import Tracking

struct GroupMessagesTests {
    @Test func `A group lists its members in joining order`() {
        let group = GroupMessage(
            group: .family, name: "Žagar & Co", members: [(.bob, "Bob"), (.ann, "Ann \"A\"")])
        #expect(
            group.payload.text == """
                {"group":"FamilyFamilyFamily_-09","name":"Žagar & Co",\
                "members":[{"user":"bob","name":"Bob"},{"user":"ann","name":"Ann \\"A\\""}]}
                """)
        #expect(
            GroupMessage(group: .work, name: "W", members: []).payload.text
                == #"{"group":"WorkWorkWorkWorkWork00","name":"W","members":[]}"#)
    }

    @Test func `A user's groups are listed with the user's role`() {
        #expect(
            UserGroupsMessage(groups: [(.family, "Family"), (.work, "Work")]).payload.text == """
                [{"group":"FamilyFamilyFamily_-09","name":"Family","role":"member"},\
                {"group":"WorkWorkWorkWorkWork00","name":"Work","role":"member"}]
                """)
        #expect(UserGroupsMessage(groups: []).payload.text == "[]")
    }
}
